// Every page and its dialogs: a name, its path, and the steps before the picture is taken.

export function atTheDoor() {
  return [
    ['door', '/'],
    ['door-sign-up', '/', (page) => press(page, 'Create an account')],
    [
      'door-refused',
      '/',
      async (page) => {
        await page.getByLabel('API key or token').fill('my password')
        await page.getByRole('button', { name: 'Sign in' }).last().click()
      },
    ],
  ]
}

export function behindIt({ space_id, thread_id, event_id, question, decision_id, resolved, ...hooks }) {
  const space = `/s/${space_id}`
  return [
    ['home', '/'],
    ['home-new-space', '/?new'],
    ['inbox', '/inbox'],
    [
      'home-account',
      '/',
      async (page) => {
        await openNavigation(page)
        await press(page, 'Account: Ada Lovelace')
      },
    ],
    ['home-keys', '/', (page) => page.keyboard.press('?')],
    ['home-navigation', '/', openNavigation],
    [
      'palette',
      space,
      async (page) => {
        await page.keyboard.press('Control+k')
        await page.getByRole('combobox').waitFor()
      },
    ],
    [
      'palette-search',
      space,
      async (page) => {
        await page.keyboard.press('Control+k')
        await page.getByRole('combobox').fill('importer')
        await page
          .getByRole('option', { name: /archive/ })
          .first()
          .waitFor()
      },
    ],
    ['space', space],
    ['space-event', `${space}/e/${event_id}`],
    ['space-menu', space, (page) => press(page, 'Space actions')],
    [
      'space-details',
      `${space}/e/${event_id}`,
      async (page) => {
        await page.locator(`#event-${event_id}`).focus()
        await page.keyboard.press('i')
        await page.getByRole('dialog').waitFor()
      },
    ],
    ['space-date', space, (page) => pickFromMenu(page, 'Space actions', 'Jump to date…')],
    ['space-archive', space, (page) => pickFromMenu(page, 'Space actions', 'Archive…')],
    ['space-paused', '/s/incident-0412'],
    ['space-archived', '/s/kick-off-2025'],
    ['space-empty', '/s/new-ideas'],
    ['space-unknown', '/s/nowhere'],
    ['thread', `${space}?thread=${thread_id}`],
    ['thread-new', `${space}?thread=${question.event_id}`],
    ['threads', `${space}?panel=threads`],
    ['participants', `${space}?panel=people`],
    ['search', `${space}?panel=search`],
    [
      'search-found',
      `${space}?panel=search`,
      async (page) => {
        await page.getByRole('searchbox').fill('importer')
        await page.getByText(/matches/).waitFor()
      },
    ],
    ['summary', `${space}?panel=summary`],
    [
      'summary-written',
      `${space}?panel=summary`,
      async (page) => {
        await press(page, 'Summarize')
        await page.getByRole('link', { name: 'Source 1' }).first().waitFor()
      },
    ],
    ['activity', `${space}?panel=activity`],
    ['files', '/s/harbour-pictures?panel=files'],
    ['file-image', '/s/harbour-pictures', (page) => page.getByRole('button', { name: 'Open maskable.png' }).click()],
    ['file-table', '/s/harbour-pictures', (page) => page.getByRole('button', { name: /^Budget/ }).click()],
    [
      'file-attached',
      '/s/harbour-pictures',
      async (page) => {
        const buffer = Buffer.from('To the sea')
        await page.locator('input[type=file]').setInputFiles({ name: 'plan.txt', mimeType: 'text/plain', buffer })
        await page.getByText('Ready').waitFor()
      },
    ],
    ['links', `${space}?panel=links`],
    ['links-add', `${space}?panel=links`, (page) => page.getByRole('button', { name: 'Add a link' }).first().click()],
    ['decisions', `${space}/decisions`],
    ['decisions-propose', `${space}/decisions?propose`],
    ['decisions-empty', '/s/new-ideas/decisions'],
    ['decision', `${space}/decisions/${decision_id}`],
    ['decision-resolve', `${space}/decisions/${decision_id}`, (page) => press(page, 'Resolve')],
    ['decision-resolved', `${space}/decisions/${resolved}`],
    ['decision-policy', `${space}/decisions`, (page) => press(page, 'Change')],
    ['credentials', '/credentials'],
    ['credentials-new', '/credentials?new'],
    ['notifications', '/notifications'],
    ['notifications-rules', '/notifications', (page) => press(page, 'Change')],
    ['agents', '/agents'],
    ['agents-new', '/agents?new'],
    [
      'agents-stop',
      '/agents',
      (page) =>
        page
          .getByRole('button', { name: /^Stop Scout/ })
          .first()
          .click(),
    ],
    [
      'agents-line',
      '/agents?new',
      async (page) => {
        // Pictures of the agents are taken concurrently, so that this one is not created.
        const made = { code: `svc_code_${'x'.repeat(32)}`, code_id: 'none', expires_at: new Date().toISOString() }
        await page.route('**/trpc/agentCode.create**', (route) => route.fulfill({ json: { result: { data: made } } }))
        await page.getByLabel('Name', { exact: true }).fill('Pathfinder')
        await press(page, 'Invite agent')
        await page.getByRole('dialog', { name: 'Paste this to the agent' }).waitFor()
        await page.unroute('**/trpc/agentCode.create**')
      },
    ],
    ['webhook', `/webhooks/${hooks.webhook_id}`],
    ['webhook-failing', `/webhooks/${hooks.failing_id}`],
    ['webhook-new', '/agents', (page) => press(page, 'New webhook')],
    ['webhook-edit', `/webhooks/${hooks.webhook_id}`, (page) => press(page, 'Edit…')],
    ['webhook-replay', `/webhooks/${hooks.webhook_id}`, (page) => pickFromMenu(page, 'Webhook actions', 'Replay…')],
    ['tenant', '/tenant'],
    ['tenant-invite', '/tenant', (page) => press(page, 'Invite member')],
    ['no-page', '/nowhere'],
    // Texts written from here on stay in the space and its draft.
    [
      'space-mention',
      space,
      async (page) => {
        await page.getByRole('textbox', { name: /^Message to/ }).pressSequentially('Thank you, @s')
        await page.getByRole('option').first().waitFor()
      },
    ],
    [
      'space-failed',
      space,
      async (page) => {
        const refused = {
          error: { message: 'no', code: -32600, data: { httpStatus: 400, detail: 'text is too long' } },
        }
        await page.route('**/trpc/event.speech**', (route) => route.fulfill({ status: 400, json: refused }))
        const field = page.getByRole('textbox', { name: /^Message to/ })
        await field.fill('This one does not arrive')
        await page.getByRole('button', { name: 'Send', exact: true }).click()
        await page.getByRole('button', { name: 'Send again' }).waitFor()
        await page.unroute('**/trpc/event.speech**')
      },
    ],
    [
      'home-unreachable',
      '/',
      async (page) => {
        await page.route(/\/(trpc|api)\//, (route) => route.abort())
        await page.reload()
        await page.getByText('The server is not responding').waitFor()
      },
    ],
  ]
}

/** The pages of a team that writes in several scripts. */
export function amongMany({ long, cairo, cairo_event, cairo_thread, talk }) {
  const space = `/s/${cairo}`
  return [
    ['long-space', `/s/${long}`],
    ['long-space-chosen', `/s/${long}`, (page) => page.getByRole('log').getByRole('article').last().focus()],
    ['long-space-people', `/s/${long}?panel=people`],
    ['long-space-activity', `/s/${long}?panel=activity`],
    [
      'long-space-search',
      `/s/${long}?panel=search`,
      async (page) => {
        await page.getByRole('searchbox').fill('redirects')
        await page.locator('mark').first().waitFor()
      },
    ],
    ['long-space-date', `/s/${long}`, (page) => pickFromMenu(page, 'Space actions', 'Jump to date…')],
    ['other-script', space],
    ['other-script-event', `${space}/e/${cairo_event}`],
    ['other-script-thread', `${space}?thread=${cairo_thread}`],
    ['other-script-threads', `${space}?panel=threads`],
    ['other-script-decisions', `${space}/decisions`],
    [
      'other-script-reply',
      `${space}/e/${cairo_event}`,
      async (page) => {
        await page.locator(`#event-${cairo_event}`).focus()
        await page.keyboard.press('r')
      },
    ],
    [
      'other-script-card',
      space,
      (page) =>
        page
          .getByRole('log')
          .getByRole('button', { name: /^أمينة/ })
          .first()
          .click(),
    ],
    ['other-script-edit', space, (page) => pickFromMenu(page, 'Space actions', 'Title, description, owners…')],
    ['shanghai', '/s/shanghai-launch'],
    ['german', '/s/datenschutz'],
    ['conversation', `/s/${talk}`],
    ['conversation-people', `/s/${talk}?panel=people`],
    [
      'home-filtered',
      '/',
      async (page) => {
        await page.getByRole('searchbox').first().fill('20')
      },
    ],
  ]
}

export function stillEmpty() {
  return [
    ['empty-home', '/'],
    ['empty-agents', '/agents'],
    ['empty-credentials', '/credentials'],
    ['empty-tenant', '/tenant'],
  ]
}

export function inSample() {
  return [
    [
      'sample-space',
      '/',
      async (page) => {
        // Created once for all widths.
        const again = page.getByRole('link', { name: 'Continue in your sample space' })
        await again.or(page.getByRole('button', { name: 'Try it in a sample space' })).click()
        await page.getByText('I am the guide').waitFor()
      },
    ],
  ]
}

const press = (page, name) => page.getByRole('button', { name, exact: true }).first().click()

/** Opens the navigation on a narrow screen. */
async function openNavigation(page) {
  const button = page.getByRole('button', { name: /^(?:Open navigation|Menu)$/ }).first()
  if (await button.isVisible()) await button.click()
}

async function pickFromMenu(page, menu, name) {
  await press(page, menu)
  await page.getByRole('menuitem', { name }).click()
  await page.getByRole('dialog').waitFor()
}
