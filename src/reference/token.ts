/** Where the dashboard keeps the control plane's token for as long as the tab is open: whoever gave it there gave it here. */
const KEY = 'petstore-mock.token'

export function readToken(): string | undefined {
  try {
    return sessionStorage.getItem(KEY) ?? undefined
  } catch {
    return undefined
  }
}

/** Asks for the token in the place of what it opens. */
export function askForToken(where: HTMLElement): Promise<string> {
  const form = document.createElement('form')
  const label = document.createElement('label')
  const input = document.createElement('input')
  const button = document.createElement('button')
  form.className = 'token'
  label.textContent = 'Token of the control plane '
  Object.assign(input, { type: 'password', required: true, autocomplete: 'off' })
  button.textContent = 'Open'
  label.append(input)
  form.append(label, button)
  where.replaceChildren(form)
  return new Promise((resolve) => {
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      form.remove()
      try {
        sessionStorage.setItem(KEY, input.value)
      } catch {
        // It is asked for once more after the next load.
      }
      resolve(input.value)
    })
  })
}
