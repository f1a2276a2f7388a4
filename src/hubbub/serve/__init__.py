"""The site: pages and a JSON API over an archive, rendered on the server."""
