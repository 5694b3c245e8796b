import { expect, it } from 'vitest'
import { addAxe, findViolations } from './browser.js'
import { openTryIt, operationOf, useReference } from './reference.js'

// In its own file, because it takes as long as all other tests of the reference, which can run at the same time.

const { startMock } = useReference()

it('the reference is accessible and not too wide', { timeout: 300_000 }, async () => {
  const { open } = await startMock()
  const page = await open({ prepare: addAxe })
  const found: Record<string, string[]> = {}
  found.closed = await findViolations(page)
  await page.getByText('About this document').click()
  for (const id of ['listPets', 'createPet', 'getPet', 'updatePet', 'deletePet']) await openTryIt(page, id)
  await operationOf(page, 'getPet').getByRole('textbox', { name: 'petId' }).fill('1')
  for (const id of ['listPets', 'getPet']) {
    await operationOf(page, id).getByRole('button', { name: 'Execute' }).click()
    await operationOf(page, id).locator('.live-responses-table').waitFor()
  }
  await operationOf(page, 'updatePet').getByText('Schema', { exact: true }).first().click()
  await page.locator('section.models button').first().click()
  found.open = await findViolations(page)
  expect(found).toEqual({ closed: [], open: [] })
})
