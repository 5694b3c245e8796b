#!/usr/bin/env bash
# Chromium for CI, with `CHROMIUM_PATH`. It loads two web pages for the address bar of every window, which no test sees: without
# them, opening a page takes a quarter less processor time. Chromium takes only the last list of features, so this adds to that
# of Playwright.
exec chromium "${@/#--disable-features=/--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,}"
