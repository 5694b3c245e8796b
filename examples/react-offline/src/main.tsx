import { type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app'
import './styles/base.css'
import './styles/site.css'
import './styles/layout.css'
import './styles/controls.css'
import './styles/filters.css'
import './styles/feedback.css'
import './styles/pictures.css'
import './styles/pets.css'
import './styles/order-form.css'
import './styles/orders.css'

let mock: ReactNode

// Vite inserts the value at build time: with VITE_MOCK=off nothing below `import('./mock/…')` is part of the build.
if (import.meta.env.VITE_MOCK !== 'off') {
  const { startMock } = await import('./mock/start')
  mock = await startMock()
}

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <App mock={mock} />
  </StrictMode>,
)
