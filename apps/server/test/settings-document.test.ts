import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { readSettings } from '../src/settings.js'
import { environmentExample, settingsTable } from './documents/settings.js'
import { withRegions } from './documents/text.js'

const pathOf = (name: string) => fileURLToPath(new URL(`../../../${name}`, import.meta.url))

/** `pnpm docs:settings` writes both documents. */
it('.env.example explains all settings', async () => {
  await expect(environmentExample()).toMatchFileSnapshot(pathOf('.env.example'))
})

it('the table of operations names all settings', async () => {
  const manual = pathOf('docs/operations.md')
  const text = await readFile(manual, 'utf8')
  const written = withRegions(text, 'settings', settingsTable)
  expect(written).toContain(settingsTable())
  await expect(written).toMatchFileSnapshot(manual)
})

it('the values in .env.example are valid together', () => {
  const values = Array.from(environmentExample().matchAll(/^# ([A-Z_]+)=(.*)$/gm), ([, name, value]) => [name, value])
  const environment: Record<string, string> = Object.fromEntries(values)
  expect(() => readSettings({ ...environment, SUMMARY_MODEL: 'm', SUMMARY_URL: 'http://localhost/v1' })).not.toThrow()
})
