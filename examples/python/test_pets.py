import threading
import unittest

from mock_server import MockServer
from pets import Petstore, PetstoreError


def setUpModule():
    global server
    server = MockServer()


def tearDownModule():
    server.stop()


class PetsTest(unittest.TestCase):
    def setUp(self):
        # Each test has a sandbox named after it, so tests can run in any order, and at the same time.
        self.mock = server.sandbox(self._testMethodName)
        self.pauses = []
        self.store = Petstore(self.mock.url, pause=self.pauses.append)

    def test_lists_pets_across_pages(self):
        pets = list(self.store.pets())

        self.assertEqual([pet["id"] for pet in pets], list(range(1, 73)))
        self.assertEqual([entry["query"]["limit"] for entry in self.mock.journal("listPets")], [50, 50])

    def test_filters_pets(self):
        names = [pet["name"] for pet in self.store.pets(categoryId=1, status="available", sort="name")]

        self.assertIn("Digby", names)
        self.assertEqual(names, sorted(names))

    def test_an_order_takes_units_out_of_the_stock(self):
        pet = self.store.create_pet("Biscuit", category_id=1)

        order = self.store.order(pet["id"])

        # The first new ids after the default starting data, because no other test uses this sandbox.
        self.assertEqual((pet["id"], order["id"]), (73, 121))
        self.assertEqual(self.store.stock(pet["id"]), 0)

    def test_reports_why_an_order_was_rejected(self):
        pet = self.store.create_pet("Biscuit", category_id=1)

        with self.assertRaises(PetstoreError) as raised:
            self.store.order(pet["id"], quantity=2)

        self.assertEqual((raised.exception.status, raised.exception.code), (409, "INSUFFICIENT_STOCK"))
        self.assertEqual(self.pauses, [])

    def test_ids_are_exact_over_the_whole_64_bit_range(self):
        self.mock.reset(scenario="big-ids")

        largest = max(pet["id"] for pet in self.store.pets(status="available"))
        order = self.store.order(largest)

        self.assertEqual(largest, 2**63 - 1)
        self.assertEqual(order["petId"], largest)
        self.assertEqual(self.mock.journal("createOrder")[0]["request"]["body"]["petId"], largest)

    def test_retries_while_the_service_is_down(self):
        self.mock.add_fault(operation="createOrder", status=503, times=2)

        order = self.store.order(1)

        self.assertEqual(order["petId"], 1)
        self.assertEqual([entry["status"] for entry in self.mock.journal("createOrder")], [503, 503, 201])
        self.assertEqual(self.pauses, [0.5, 1.0])

    def test_retries_after_a_fixed_response(self):
        self.mock.add_override("createOrder", status=503, headers={"Retry-After": "2"}, times=1)

        thread = threading.Thread(target=self.store.order, args=[1])
        thread.start()
        entries = self.mock.wait_for("createOrder", times=2)
        thread.join()

        self.assertEqual([entry["status"] for entry in entries], [503, 201])
        self.assertEqual(entries[0]["response"]["headers"]["retry-after"], "2")

    def test_gives_up_when_the_service_stays_down(self):
        self.mock.add_fault(operation="createOrder", status=503)

        with self.assertRaises(PetstoreError) as raised:
            self.store.order(1)

        self.assertEqual(raised.exception.status, 503)
        self.assertEqual(len(self.mock.journal("createOrder")), 3)


if __name__ == "__main__":
    unittest.main()
