import { type ReactNode, useEffect, useRef } from 'react'
import { PawMark } from './components/paw-mark'
import { focusHeading } from './focus'
import { BrowsePage } from './pages/browse'
import { NotFoundPage } from './pages/not-found'
import { OrdersPage } from './pages/orders'
import { PetPage } from './pages/pet'
import { type Route, useRoute } from './router'

/** `mock` is shown in the footer when the mock is running. */
export function App({ mock }: { mock: ReactNode }) {
  const route = useRoute()
  useFreshStart(route.path)

  return (
    <>
      <header className="site-header">
        {/* Not a link: what stands behind the `#` is the route. */}
        <button type="button" className="skip-link" onClick={() => document.getElementById('main')?.focus()}>
          Skip to content
        </button>
        <div className="container">
          <a className="brand" href="#/">
            <PawMark />
            Pet Store
          </a>
          <nav className="links" aria-label="Main">
            <NavLink href="#/" current={route.path === '/' || route.path.startsWith('/pets/')}>
              Pets
            </NavLink>
            <NavLink href="#/orders" current={route.path === '/orders'}>
              Orders
            </NavLink>
          </nav>
        </div>
      </header>
      <main id="main" className="container" tabIndex={-1}>
        {pageOf(route)}
      </main>
      <footer className="site-footer">
        <div className="container">{mock ?? <p>Answered by the Pet Store service.</p>}</div>
      </footer>
    </>
  )
}

function pageOf({ path, search }: Route): ReactNode {
  if (path === '/') return <BrowsePage search={search} />
  if (path === '/orders') return <OrdersPage search={search} />
  const petId = /^\/pets\/(\d+)$/.exec(path)?.[1]
  if (petId !== undefined) return <PetPage key={petId} petId={petId} />
  return <NotFoundPage />
}

function NavLink({ href, current, children }: { href: string; current: boolean; children: ReactNode }) {
  return (
    <a href={href} aria-current={current ? 'page' : undefined}>
      {children}
    </a>
  )
}

/** Does what a browser does when it opens another document. */
function useFreshStart(path: string) {
  const shown = useRef(path)
  useEffect(() => {
    if (shown.current === path) return
    shown.current = path
    scrollTo(0, 0)
    focusHeading()
  }, [path])
}
