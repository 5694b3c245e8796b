import { StrictMode, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'

interface Pet {
  id: number
  name: string
}

async function loadPets(): Promise<Pet[]> {
  return (await fetch('/api/pets?sort=-id&limit=5')).json()
}

function Pets() {
  const [pets, setPets] = useState<Pet[]>([])

  async function add(): Promise<void> {
    const body = JSON.stringify({ name: 'Rex', categoryId: 1 })
    await fetch('/api/pets', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
    setPets(await loadPets())
  }

  useEffect(() => void loadPets().then(setPets), [])
  return (
    <>
      <ul>
        {pets.map(({ id, name }) => (
          <li key={id}>{name}</li>
        ))}
      </ul>
      <button type="button" onClick={add}>
        Add a pet
      </button>
    </>
  )
}

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <Pets />
  </StrictMode>,
)
