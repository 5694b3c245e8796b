import { buy, listAvailable } from './shop.js'

const API = '/api'

async function show(message = ''): Promise<void> {
  const products = await listAvailable(API)
  const buttons = products.map(({ id, name, stock }) => {
    const button = document.createElement('button')
    button.textContent = `${name}: ${stock} left`
    button.addEventListener('click', async () => {
      const order = await buy(API, id)
      await show(order === undefined ? `${name} is sold out.` : `Order ${order.id}: ${name} is yours.`)
    })
    return button
  })
  document.querySelector('main')?.replaceChildren(...buttons)
  const output = document.querySelector('output')
  if (output) output.textContent = message
}

void show()
