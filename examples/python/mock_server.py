"""Runs the mock for tests: one server for all of them, one sandbox for each."""

import json
import pathlib
import subprocess
import urllib.request

# The command itself, not npx, so that the signal that stops it reaches the server.
COMMAND = pathlib.Path(__file__).parent / "node_modules" / ".bin" / "petstore-mock"


class MockServer:
    def __init__(self):
        if not COMMAND.exists():
            raise RuntimeError("petstore-mock is not installed. Run npm install in this folder first.")
        arguments = ["--port", "0", "--log-format", "json", "--quiet"]
        self._process = subprocess.Popen([COMMAND, *arguments], stdout=subprocess.PIPE)
        # It prints one line when it is ready. If it cannot start, it prints the reason to stderr and exits.
        line = self._process.stdout.readline()
        if not line:
            self.stop()
            raise RuntimeError("The mock did not start. See its output above.")
        self.url = json.loads(line)["url"]

    def sandbox(self, name):
        """An isolated copy of the mock, with the starting data of the server."""
        sandbox = Sandbox(f"{self.url}/sandbox/{name}")
        sandbox.reset()
        return sandbox

    def stop(self):
        self._process.terminate()
        self._process.wait(timeout=10)
        self._process.stdout.close()


class Sandbox:
    def __init__(self, url):
        self.url = url

    def reset(self, **starting_data):
        self._admin("POST", "/reset", starting_data or None)

    def add_fault(self, **rule):
        self._admin("POST", "/faults", rule)

    def add_override(self, operation, **response):
        self._admin("POST", "/overrides", {"operation": operation, **response})

    def wait_for(self, operation, times=1, timeout=5):
        """The requests of an operation, as soon as so many have arrived."""
        query = f"operation={operation}&times={times}&waitMs={round(timeout * 1000)}"
        entries = self._admin("GET", f"/journal?{query}")["entries"]
        if len(entries) < times:
            raise AssertionError(f"{len(entries)} of {times} requests of {operation} arrived in {timeout} s.")
        return entries

    def journal(self, operation):
        return self._admin("GET", f"/journal?operation={operation}")["entries"]

    def _admin(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.url}/__admin{path}", data, method=method)
        if data is not None:
            request.add_header("Content-Type", "application/json")
        with urllib.request.urlopen(request, timeout=10) as response:
            text = response.read()
        return json.loads(text) if text else None
