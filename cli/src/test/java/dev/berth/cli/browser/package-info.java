/// A headless Chromium for tests of the pages, driven by the DevTools protocol.
package dev.berth.cli.browser;
