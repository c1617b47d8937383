"""A browser without a window, and what it shows of a page."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

if TYPE_CHECKING:
    from selenium.webdriver import Chrome
    from selenium.webdriver.remote.webelement import WebElement

LOOK = (Path(__file__).parent / "look.js").read_text(encoding="utf-8")
# Where this says "required", a missing browser is a failure: .ci/run sets it.
WANTED = "SIZEWRIGHT_BROWSER"
# Letters are drawn a little beyond the place that they take.
SLACK_PX = 1.5
HEIGHT_PX = 900
# How long a page may keep the browser busy; a busy machine takes long for a large one.
PATIENCE_S = 900
_CONSOLE, _TRAFFIC = "browser", "performance"
# A dialog would stop everything: what a page wants to say in one is kept instead.
LISTEN = "window.said = []; window.alert = text => { window.said.push(text); };"


class Surface(NamedTuple):
    """What a page is shown on: a screen, light or dark, or paper; `width` is in pixels of CSS."""

    width: int
    medium: str = "screen"
    scheme: str = "light"

    def __str__(self) -> str:
        return f"{self.width}-{self.medium}-{self.scheme}"


class Seen(NamedTuple):
    """What is wrong with a page as it is shown, each with the text that it befalls.

    `outside` of the page, `cut` off by a box around it, a word `parted` over lines, `covered` by
    other text, wrong in the `drawing`. `boxes` and `texts` count what was looked at.
    """

    outside: list[str]
    cut: list[str]
    parted: list[str]
    covered: list[str]
    drawing: list[str]
    boxes: int
    texts: int

    @property
    def faults(self) -> list[str]:
        """All that is wrong, with a word for how."""
        return [
            f"{how}: {what}"
            for how in ("outside", "cut", "parted", "covered", "drawing")
            for what in getattr(self, how)
        ]


class Viewer:
    """The browser with one page open."""

    def __init__(self, driver: Chrome) -> None:
        self.driver = driver
        self._tell("Page.addScriptToEvaluateOnNewDocument", source=LISTEN)

    def show(self, path: Path, surface: Surface) -> None:
        """Open a page anew; what the one before it did is forgotten."""
        self.turn(surface)
        self.console()
        self.fetched()
        self.driver.get(path.as_uri())

    def turn(self, surface: Surface) -> None:
        """Show what is open on another surface."""
        self._tell(
            "Emulation.setDeviceMetricsOverride",
            width=surface.width, height=HEIGHT_PX, deviceScaleFactor=1, mobile=False,
        )  # fmt: skip
        scheme = {"name": "prefers-color-scheme", "value": surface.scheme}
        self._tell("Emulation.setEmulatedMedia", media=surface.medium, features=[scheme])

    def look(self) -> Seen:
        """What a reader sees now."""
        return Seen(**self.driver.execute_script(LOOK, SLACK_PX))

    def ask(self, script: str, *arguments: object) -> Any:
        """What a script says that runs in the page."""
        return self.driver.execute_script(script, *arguments)

    def click(self, selector: str) -> None:
        """Press a pointer's button on the first element that a selector of CSS finds."""
        self._first(selector).click()

    def press_enter(self, selector: str) -> None:
        """Press a key on the first element that a selector of CSS finds."""
        self._first(selector).send_keys("\n")

    def said(self) -> list[str]:
        """What the page wanted to say in dialogs."""
        return list(self.ask("return window.said"))

    def console(self) -> list[str]:
        """Messages of any kind since the page was opened or this was asked."""
        return [f"{each['level']}: {each['message']}" for each in self.driver.get_log(_CONSOLE)]

    def fetched(self) -> list[str]:
        """Addresses asked for since the page was opened or this was asked, the page's own too."""
        events = (json.loads(each["message"])["message"] for each in self.driver.get_log(_TRAFFIC))
        sent = (each["params"] for each in events if each["method"] == "Network.requestWillBeSent")
        return [each["request"]["url"] for each in sent]

    def obstacles(self, *rules: str) -> list[str]:
        """What keeps people from reading: all that axe-core finds serious or critical."""
        from selenium_axe_python.axe import Axe

        options: dict[str, Any] = {"resultTypes": ["violations"]}
        if rules:
            options["runOnly"] = list(rules)
        axe: Any = Axe(self.driver)
        if not self.ask("return 'axe' in window"):
            axe.inject()
        return [
            f"{found['impact']}: {found['id']}: {node['html'][:200]}: {node['failureSummary']}"
            for found in axe.run(options=options)["violations"]
            if found["impact"] in ("serious", "critical")
            for node in found["nodes"]
        ]

    def _first(self, selector: str) -> WebElement:
        return self.driver.find_element("css selector", selector)

    def _tell(self, command: str, **parameters: object) -> None:
        self.driver.execute_cdp_cmd(command, parameters)


@contextmanager
def viewer() -> Iterator[Viewer]:
    """A browser that is closed afterwards; skips, or fails where one is required, without."""
    chromium, chromedriver = _program("chromium"), _program("chromedriver")
    try:
        from selenium.webdriver import Chrome, ChromeOptions, ChromeService
    except ImportError:
        raise _without("the Python package selenium: pip install '.[browser]'") from None

    options = ChromeOptions()
    options.binary_location = chromium
    for argument in ("headless=new", "disable-dev-shm-usage", "disable-gpu", "hide-scrollbars"):
        options.add_argument(f"--{argument}")
    if os.geteuid() == 0:
        # The browser refuses to be run by root within its sandbox.
        options.add_argument("--no-sandbox")
    options.set_capability("goog:loggingPrefs", {_CONSOLE: "ALL", _TRAFFIC: "ALL"})
    driver = Chrome(options=options, service=ChromeService(executable_path=chromedriver))
    driver.set_script_timeout(PATIENCE_S)
    driver.command_executor.client_config.timeout = PATIENCE_S
    try:
        yield Viewer(driver)
    finally:
        driver.quit()


def _program(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        raise _without(f"the program {name}: apt-get install chromium chromium-driver")
    return found


def _without(what: str) -> BaseException:
    """The end of a test that needs what is not there."""
    said = f"no browser to look at pages with: there is not {what}"
    if os.environ.get(WANTED) == "required":
        return pytest.fail.Exception(said, pytrace=False)
    return pytest.skip.Exception(said)
