// Makes the rendered page interactive. It talks to the API itself, and knows nothing about sandboxes.
const { api } = document.documentElement.dataset
const form = document.querySelector('form')
const status = document.querySelector('[role=status]')

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const body = JSON.stringify({ name: new FormData(form).get('name'), categoryId: 1 })
  const headers = { 'Content-Type': 'application/json' }
  const response = await fetch(`${api}/pets`, { method: 'POST', headers, body })
  const pet = await response.json()
  if (!response.ok) {
    status.textContent = pet.message
    return
  }
  const row = document.createElement('li')
  row.textContent = pet.name
  document.querySelector('ul').prepend(row)
  status.textContent = `${pet.name} has moved in as number ${pet.id}.`
})
form.querySelector('button').disabled = false
