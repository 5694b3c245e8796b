"""The mock as a test needs it: one server for all tests, a sandbox for each."""

import json
import pathlib
import subprocess
import urllib.request

# The command itself and not npx: the signal that ends it should reach the server.
COMMAND = pathlib.Path(__file__).parent / "node_modules" / ".bin" / "petstore-mock"


class MockServer:
    def __init__(self):
        if not COMMAND.exists():
            raise RuntimeError("petstore-mock is not installed: run npm install in this folder first")
        arguments = ["--port", "0", "--log-format", "json", "--quiet"]
        self._process = subprocess.Popen([COMMAND, *arguments], stdout=subprocess.PIPE)
        # It prints one line when it can be reached. Where it cannot start, it says why and its output ends.
        line = self._process.stdout.readline()
        if not line:
            self.stop()
            raise RuntimeError("the mock did not start: what it printed above says why")
        self.url = json.loads(line)["url"]

    def sandbox(self, name):
        """A private copy of everything, as fresh as the server was when it started."""
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

    def reset(self, **world):
        self._control("POST", "/reset", world or None)

    def add_fault(self, **rule):
        self._control("POST", "/faults", rule)

    def journal(self, operation):
        return self._control("GET", f"/journal?operation={operation}")["entries"]

    def _control(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.url}/__admin{path}", data, method=method)
        if data is not None:
            request.add_header("Content-Type", "application/json")
        with urllib.request.urlopen(request, timeout=10) as response:
            text = response.read()
        return json.loads(text) if text else None
