"""The web application: routes, errors as pages or JSON, and the headers that every response has."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

from .. import __version__
from ..errors import ArchiveError, HubbubError, UnknownName
from . import api, feeds, pages
from .archive_pool import ArchivePool
from .rendering import templates
from .slow_results import SlowResults

FOLDER = Path(__file__).parent
LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")
_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[^:@/\s]+)(?::\d{1,5})?", re.I)
HEADERS = {
    "content-security-policy": "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:;"
    " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
PROBLEM = "application/problem+json"


@dataclass(frozen=True, slots=True)
class SiteSettings:
    """How a site presents itself. `hosts` are the names under which it may be reached, loopback if there are none."""

    title: str = "hubbub"
    hosts: tuple[str, ...] = ()


def application(location: str | Path, settings: SiteSettings | None = None) -> FastAPI:
    """The site of one archive."""
    settings = settings or SiteSettings()
    pool = ArchivePool(location)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> Any:
        yield
        pool.close()

    app = FastAPI(
        title=f"{settings.title} API", version=__version__, lifespan=lifespan, openapi_url="/api/v1/openapi.json",
        docs_url=None, redoc_url=None,
    )  # fmt: skip
    app.state.pool, app.state.settings, app.state.slow_results = pool, settings, SlowResults(pool)
    app.mount("/static", StaticFiles(directory=FOLDER / "static"), name="static")
    app.include_router(api.router)
    app.include_router(feeds.router)
    app.include_router(pages.router)
    app.middleware("http")(_guarded(settings))
    for error, handler in (
        (HubbubError, _failed), (HTTPException, _refused), (RequestValidationError, _invalid), (Exception, _broken),
    ):  # fmt: skip
        app.add_exception_handler(error, handler)
    return app


def _guarded(settings: SiteSettings) -> Callable[..., Awaitable[Response]]:
    """Adds the security headers, and refuses other names than the site's own: another page could rebind its name."""
    hosts = settings.hosts or LOOPBACK_NAMES

    async def middleware(request: Request, following: Callable[[Request], Awaitable[Response]]) -> Response:
        name = _HOST.fullmatch(request.headers.get("host", ""))
        if request.method == "HEAD":  # answered like GET; the server leaves the body out
            request.scope["method"] = "GET"
        if not name or name[1].lower() not in hosts:
            response: Response = HTMLResponse("The site is not served under this name.\n", 421)
        else:
            response = await following(request)
        for key, value in HEADERS.items():
            response.headers.setdefault(key, value)
        return response

    return middleware


async def _failed(request: Request, error: Exception) -> Response:
    if isinstance(error, UnknownName):
        return _problem(request, 404, str(error))
    if isinstance(error, ArchiveError):
        return _problem(request, 503, str(error))
    return _problem(request, 400, str(error))


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return _problem(request, error.status_code, str(error.detail), dict(error.headers or {}))


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    return _problem(request, 422, f"{'.'.join(str(each) for each in first['loc'][1:])}: {first['msg']}")


async def _broken(request: Request, error: Exception) -> Response:
    return _problem(request, 500, "The server failed; its log has the reason.")


def _problem(request: Request, status: int, detail: str, headers: dict[str, str] | None = None) -> Response:
    if request.url.path.startswith("/api/") or request.url.path.endswith(".json"):
        body = {"type": "about:blank", "title": _reason(status), "status": status, "detail": detail}
        return JSONResponse(body, status, headers, media_type=PROBLEM)
    return templates(request).TemplateResponse(
        request, "error.html", {"status": status, "reason": _reason(status), "detail": detail}, status, headers
    )


def _reason(status: int) -> str:
    from http import HTTPStatus

    return HTTPStatus(status).phrase
