/**
 * For a button that removes its own item. Afterwards the focus is on the heading of the section, so that the keyboard goes on
 * from there; otherwise the browser would start over at the top of the page.
 */
export async function keepFocus(event: MouseEvent, remove: () => Promise<boolean>): Promise<void> {
  const heading = (event.currentTarget as HTMLElement).closest('section')?.querySelector('h2')
  if (!heading || !(await remove())) return
  heading.tabIndex = -1
  heading.focus()
}
