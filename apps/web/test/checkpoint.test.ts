import { useProgram } from '@collab-spaces/testing'
import { expect, it } from 'vitest'
import { describeInBrowser, useBrowser } from './support/browser.js'

describeInBrowser('the proof of history', () => {
  const server = useProgram({ REGISTRATION_LIMIT: '0', SERVER_KEY: '5a'.repeat(32) })
  const browser = useBrowser(server)

  it('shows the newest checkpoint, its key and the command that verifies it', async () => {
    const ada = await server.registerHuman('Ada')
    await server.as(ada).post('/api/spaces', { space_id: 'proven' }).expect(200)
    const { page } = await browser.comeIn(ada, '/s/proven')
    await page.getByRole('button', { name: 'Space actions' }).click()
    await page.getByRole('menuitem', { name: 'Proof of history…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Proof of history' })
    const note = dialog.getByRole('textbox', { name: 'Checkpoint' })
    await note.waitFor()
    const { checkpoint, key } = await server.as(ada).get('/api/spaces/proven/log/checkpoint').expect(200)
    expect(await note.inputValue()).toBe(checkpoint)
    await dialog.getByText(key.split('+').slice(0, 2).join('+'), { exact: true }).waitFor()
    expect(await dialog.getByRole('textbox', { name: 'Verify it' }).inputValue()).toBe('spaces log verify proven')
  })
})
