const ATTEMPTS = 3

/** Reserves a pet: orders one, and tries again while the service is unavailable. Returns the id of the order. */
export async function adopt(baseUrl, petId) {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(`${baseUrl}/store/orders`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ petId, quantity: 1 }),
    })
    if (response.status === 201) return (await response.json()).id
    if (response.status !== 503 || attempt === ATTEMPTS) throw new Error((await response.json()).code)
    await response.body?.cancel()
  }
}
