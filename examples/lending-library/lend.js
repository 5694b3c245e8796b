const BASE_URL = 'https://library.example'

/** Lends a book. Throws with the reason of the library if it cannot. */
export async function lend(bookId, borrower) {
  const response = await fetch(`${BASE_URL}/books/${bookId}`, {
    method: 'PATCH',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ borrower }),
  })
  const body = await response.json()
  if (!response.ok) throw new Error(body.reason)
  return body
}
