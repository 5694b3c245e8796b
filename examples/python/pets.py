"""A small client for the Pet Store service, with only Python's standard library."""

import json
import time
import urllib.error
import urllib.parse
import urllib.request

MAX_ATTEMPTS = 3


class PetstoreError(Exception):
    """An error response of the service."""

    def __init__(self, status, code, message):
        super().__init__(message)
        self.status = status
        self.code = code


class Petstore:
    def __init__(self, base_url, pause=time.sleep):
        self._base_url = base_url.rstrip("/")
        self._pause = pause

    def pets(self, **filters):
        """Yields all matching pets, from all pages."""
        path = "/pets?" + urllib.parse.urlencode({"limit": 50, **filters})
        while path is not None:
            page, headers = self._send("GET", path)
            yield from page
            path = self._next_page(headers.get("Link", ""))

    def create_pet(self, name, category_id):
        return self._send("POST", "/pets", {"name": name, "categoryId": category_id})[0]

    def stock(self, pet_id):
        return self._send("GET", f"/store/inventory/{pet_id}")[0]["quantity"]

    def order(self, pet_id, quantity=1):
        return self._send("POST", "/store/orders", {"petId": pet_id, "quantity": quantity})[0]

    def _send(self, method, path, body=None):
        """Retries a few times, with longer pauses each time, while the service is not available."""
        for attempt in range(1, MAX_ATTEMPTS + 1):
            try:
                return self._exchange(method, path, body)
            except PetstoreError as error:
                if error.status != 503 or attempt == MAX_ATTEMPTS:
                    raise
            self._pause(0.5 * attempt)

    def _exchange(self, method, path, body):
        data = None if body is None else json.dumps(body).encode()
        headers = {} if body is None else {"Content-Type": "application/json"}
        request = urllib.request.Request(self._base_url + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=10) as response:
                return json.load(response), response.headers
        except urllib.error.HTTPError as error:
            with error:
                raise PetstoreError(**json.load(error)) from None

    def _next_page(self, link):
        """The links of the service are paths on its host that include the path of the base URL."""
        prefix = urllib.parse.urlsplit(self._base_url).path
        for part in link.split(", "):
            target, _, relation = part.partition("; ")
            if relation == 'rel="next"':
                return target.strip("<>").removeprefix(prefix)
        return None
