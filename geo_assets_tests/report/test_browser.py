"""The report in a real browser: both languages, no request to anywhere, no script, nothing that scrolls sideways."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from geo_assets.report.page import render_report
from geo_assets_tests.report.sample import sample

DATE = "2026-11-29"
BROWSER = next((p for p in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if p), None)
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(BROWSER is None, reason="no Chromium on this machine; install it to run the browser tests"),
]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(render_report(DATE, sample()), "utf-8")
    return path


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        found = playwright.chromium.launch(
            executable_path=BROWSER, args=["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
        )
        yield found
        found.close()


@pytest.mark.parametrize("width", [390, 1180])
def test_the_page_loads_nothing_and_does_not_scroll_sideways(browser: Any, file: Path, width: int) -> None:
    page = browser.new_page(viewport={"width": width, "height": 900})
    asked: list[str] = []
    said: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    page.goto(file.as_uri())
    assert asked == [file.as_uri()]
    assert said == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate("document.querySelectorAll('svg').length") > 3
    page.close()


def test_the_language_switch_works_without_scripts(browser: Any, file: Path) -> None:
    context = browser.new_context(java_script_enabled=False, viewport={"width": 1180, "height": 900})
    page = context.new_page()
    page.goto(file.as_uri())
    chinese, english = page.get_by_text("提及率").first, page.get_by_text("Mention rate").first
    for language, shown, hidden in (("zh", chinese, english), ("en", english, chinese)):
        page.locator(f"label[for={language}]").first.click()
        assert shown.is_visible()
        assert not hidden.is_visible()
    context.close()
