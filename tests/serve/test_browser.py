"""The site in a real browser: reading, keys, themes, widths, without scripts, and what a hostile chat cannot do."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Any

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright")
CHROMIUM = shutil.which("chromium")
if not CHROMIUM:
    pytest.skip("needs chromium", allow_module_level=True)
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
PATHS = (
    "/",
    "/channel/1/support",
    "/channel/2/x",
    "/people",
    "/person/1",
    "/search?q=printer",
    "/unanswered",
    "/ask?q=x",
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as started:
        opened = started.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield opened
        opened.close()


@pytest.fixture
def page(browser: Any, site: str) -> Iterator[Any]:
    """A page that fails the test if anything is requested elsewhere, a dialogue opens or a script fails."""
    context = browser.new_context(base_url=site, viewport={"width": 1280, "height": 860})
    opened = context.new_page()
    wrong: list[str] = []
    opened.on("request", lambda request: None if request.url.startswith(site) else wrong.append(request.url))
    opened.on("dialog", lambda dialog: wrong.append(dialog.message))
    opened.on("pageerror", lambda error: wrong.append(str(error)))
    opened.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    yield opened
    context.close()
    assert not wrong


def test_from_the_home_page_to_a_conversation_and_into_its_channel(page: Any) -> None:
    page.goto("/")
    page.get_by_text("how do I get out of less?").click()
    assert "/c/" in page.url
    assert "out of less" in page.locator("h1").inner_text()
    page.get_by_role("link", name="in the channel").click()
    assert page.locator(".row:not(.dim)").count() == 5


def test_one_conversation_of_a_timeline_stands_out(page: Any) -> None:
    page.goto("/channel/1/support")
    page.locator(".in-view li").first.locator(".only").click()
    assert page.locator(".row.dim").count() > 20
    page.keyboard.press("Escape")
    assert page.locator(".row.dim").count() == 0


def test_keys_alone_are_enough(page: Any) -> None:
    page.goto("/")
    page.keyboard.press("/")
    page.keyboard.type('from:tessaly "printer"')
    page.keyboard.press("Enter")
    page.wait_for_url("**/search**")
    assert page.locator("mark").count()
    page.locator("h1").click()
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_url("**/c/**")
    page.keyboard.press("j")
    page.keyboard.press("j")
    assert page.evaluate("document.activeElement.classList.contains('turn')")
    page.keyboard.press("?")
    assert page.locator("dialog").is_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("g")
    page.keyboard.press("h")
    page.wait_for_function("location.pathname === '/'")


def test_the_theme_is_chosen_and_kept(page: Any) -> None:
    page.goto("/")
    light = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.locator(".theme").click()
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert dark != light
    page.reload()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == dark


@pytest.mark.parametrize("width", [320, 390, 768, 1920])
def test_no_page_is_wider_than_the_screen(page: Any, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    for path in PATHS:
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path


def test_probabilities_are_shown_on_demand(page: Any) -> None:
    page.goto("/")
    page.get_by_text("how do I get out of less?").click()
    assert not page.locator(".probability").first.is_visible()
    page.get_by_role("button", name="show probabilities").click()
    assert "with probability" in page.locator(".probability").first.inner_text()


def test_everything_is_readable_without_scripts(browser: Any, site: str) -> None:
    context = browser.new_context(base_url=site, java_script_enabled=False)
    page = context.new_page()
    page.goto("/")
    page.fill(".find input", "kettle")
    page.press(".find input", "Enter")
    page.wait_for_selector(".results a")
    page.goto("/channel/1/support")
    page.locator(".only").first.click()
    assert page.locator(".row.dim").count() > 20
    context.close()


def test_a_hostile_chat_runs_nothing(page: Any) -> None:
    page.goto("/channel/2/x")
    assert "<script>alert(1)</script>" in page.locator(".nick").first.inner_text()
    for link in page.locator("main a").all():
        assert link.get_attribute("href").startswith(("/", "#", "?", "http://", "https://"))
    page.locator(".row").first.hover()
    page.wait_for_timeout(200)  # time in which a script would have run


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(browser: Any, site: str, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python")
    context = browser.new_context(base_url=site, color_scheme=scheme, bypass_csp=True)
    page = context.new_page()
    page.goto("/")
    conversation = page.locator(".list a").first.get_attribute("href")
    for path in (*PATHS, conversation, "/faq", "/stats", "/nothing"):
        page.goto(path)
        found = axe.Axe().run(page).response["violations"]
        serious = [
            (each["id"], each["nodes"][0]["html"][:200]) for each in found if each["impact"] in ("serious", "critical")
        ]
        assert not serious, (path, serious)
    context.close()
