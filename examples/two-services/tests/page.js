/** A page of the shop, which uses both services. */
export const createPage = () => `<!doctype html>
<title>Shop</title>
<button>Buy</button>
<output></output>
<script type="module">
  const output = document.querySelector('output')
  document.querySelector('button').addEventListener('click', async () => {
    const headers = { 'Content-Type': 'application/json' }
    const ordered = await fetch('/api/shop/orders', { method: 'POST', headers, body: '{"total":5}' })
    const { id } = await ordered.json()
    const listed = await fetch('/api/billing/invoices')
    if (!listed.ok) return (output.textContent = 'Order ' + id + ' is not billed yet.')
    const invoice = (await listed.json()).find(({ orderId }) => orderId === id)
    output.textContent = 'Order ' + id + ', invoice ' + invoice.id + ' of ' + invoice.total
  })
</script>`
