// A shop without a build step. It knows the URL of the API, and nothing about sandboxes.
const api = await (await fetch('api.json')).json()
const form = document.querySelector('form')
const list = document.querySelector('ul')
const status = document.querySelector('[role=status]')

async function send(path, body) {
  const headers = { 'Content-Type': 'application/json' }
  const response = await fetch(api + path, body && { method: 'POST', headers, body: JSON.stringify(body) })
  const data = await response.json()
  if (!response.ok) throw new Error(data.message)
  return { data, total: Number(response.headers.get('X-Total-Count')) }
}

/** The pets of the category Dogs that can be ordered, newest first. */
async function show() {
  const { data: pets, total } = await send('/pets?categoryId=1&status=available&sort=-id&limit=5')
  list.replaceChildren(...pets.map(toRow))
  document.title = `Dog shop (${total})`
}

function toRow(pet) {
  const row = document.createElement('li')
  const button = document.createElement('button')
  button.textContent = `Order ${pet.name}`
  button.addEventListener('click', () => tell(() => order(pet)))
  row.append(pet.name, button)
  return row
}

async function order(pet) {
  const { data } = await send('/store/orders', { petId: pet.id, quantity: 1 })
  return `Order ${data.id}: ${pet.name} is yours.`
}

async function takeIn(name) {
  const { data } = await send('/pets', { name, categoryId: 1 })
  return `${data.name} has moved in as number ${data.id}.`
}

/** Runs an action, then shows the updated list and the result. */
async function tell(action) {
  try {
    const text = await action()
    await show()
    status.textContent = text
  } catch (error) {
    status.textContent = error.message
  }
}

form.addEventListener('submit', (event) => {
  event.preventDefault()
  tell(() => takeIn(new FormData(form).get('name')))
})

await tell(async () => '')
// Not earlier: a click before the script is ready would submit the form to the server.
form.querySelector('button').disabled = false
