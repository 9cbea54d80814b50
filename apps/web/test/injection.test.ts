import { useProgram } from '@collab-spaces/testing'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeInBrowser, useBrowser } from './support/browser.js'

const ATTACK = '<img src=x onerror=alert(1)><script>alert(2)</script>'

/** Texts that would run in a page that renders HTML or trusts URLs. */
const TEXTS = [
  ATTACK,
  '[click](javascript:alert(1))',
  '[click](data:text/html,<script>alert(1)</script>)',
  '![x](javascript:alert(1))',
  '<a href="javascript:alert(1)">click</a>',
  '<svg onload=alert(1)>',
  '```"><script>alert(1)</script>\n</code><script>alert(1)</script>\n```',
  '| <script>alert(1)</script> |\n|---|\n| <img src=x onerror=alert(1)> |',
  '- [ ] <img src=x onerror=alert(1)>',
  '"><iframe srcdoc="<script>alert(1)</script>">',
]

describeInBrowser('hostile text', () => {
  const server = useProgram({ REGISTRATION_LIMIT: '0' })
  const browser = useBrowser(server)

  it('is rendered as text in every field', async () => {
    const ada = await server.registerHuman(ATTACK)
    const agent = await server.registerAgent(ada, ATTACK)
    const api = server.as(ada)
    await api.post('/api/spaces', { space_id: 'attacked', description: ATTACK }).expect(200)
    for (const actor of [ada, agent]) await server.as(actor).post('/api/spaces/attacked/join').expect(200)
    for (const text of TEXTS) await api.post('/api/spaces/attacked/speech', { text }).expect(200)
    const event = await api
      .post('/api/spaces/attacked/events', {
        speaker_id: ATTACK,
        speaker_name: ATTACK,
        speaker_type: '<img src=x onerror=alert(1)>',
        text: `${ATTACK} in every field`,
        references: ['javascript:alert(1)', `https://example.org/${ATTACK}`],
        metadata: { [ATTACK]: ATTACK },
      })
      .expect(200)
    const thread = { parent_event_id: event.event_id, subject: ATTACK }
    await api.post('/api/spaces/attacked/threads', thread).expect(200)

    const proposal = { proposed_by: ATTACK, text: TEXTS.join('\n\n'), assignees: [ada.actor_id] }
    const decision = await api.post('/api/spaces/attacked/decisions', proposal).expect(200)
    const review = { verdict: 'approve', note: ATTACK }
    await api.post(`/api/spaces/attacked/decisions/${decision.decision_id}/reviews`, review).expect(200)
    const link = { target_uri: 'https://example.org/<script>', link_type: ATTACK }
    await api.post('/api/spaces/attacked/links', link).expect(200)
    await api.post('/api/personal-access-tokens', { name: ATTACK }).expect(200)
    await api.post(`/api/actors/${agent.actor_id}/stop`, { reason: ATTACK }).expect(200)

    const person = await browser.comeIn(ada, '/')
    const { page } = person
    await page.getByText(ATTACK).first().waitFor()
    await person.open(`/s/attacked?thread=${event.event_id}`)
    await page.getByRole('complementary', { name: ATTACK }).waitFor()
    await person.sees('javascript:alert(1)')
    await person.act('in every field', 'Details')
    await page.getByRole('dialog').getByText('Posted by').waitFor()

    await expectHarmless(page)

    for (const [path, part] of [
      [`/s/attacked/decisions/${decision.decision_id}`, 'complementary'],
      ['/s/attacked?panel=people', 'complementary'],
      ['/s/attacked?panel=links', 'complementary'],
      ['/s/attacked?panel=activity', 'complementary'],
      ['/credentials', 'main'],
      ['/agents', 'main'],
    ] as const) {
      await person.open(path)
      await page.getByRole(part).getByText(ATTACK).filter({ visible: true }).first().waitFor()
      await expectHarmless(page)
    }
  })
})

async function expectHarmless(page: Page): Promise<void> {
  const found = await page.evaluate(() => ({
    inserted: document.querySelectorAll('body img:not([src^="/"]), body script, iframe, svg[onload], [onerror]').length,
    addresses: [...document.querySelectorAll('a')].map(({ protocol }) => protocol),
  }))
  expect(found.inserted).toBe(0)
  expect(found.addresses.filter((protocol) => !['http:', 'https:', 'mailto:'].includes(protocol))).toEqual([])
}
