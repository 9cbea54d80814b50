// Takes the pictures of the README with the built page:
//
//   pnpm build && pnpm --filter @collab-spaces/web pictures
import { fileURLToPath } from 'node:url'
import { guideOf, onStage, signedIn } from '../stage.mjs'
import { makeHistory, makePeople } from './history.mjs'

const PICTURES = fileURLToPath(new URL('../../../docs/pictures/', import.meta.url))

await onStage(async ({ url, browser }) => {
  const people = await makePeople(url)
  const { thread_id, resolved } = await makeHistory(url, people)
  const take = async (name, path, options) => {
    const page = await signedIn(browser, url, people.ada, options)
    await guideOf(page, url)([name, path])
    await page.screenshot({ path: `${PICTURES}${name}.png`, animations: 'disabled' })
    await page.context().close()
  }
  await take('space', `/s/spring-release?thread=${thread_id}`, {
    colorScheme: 'light',
    viewport: { width: 1280, height: 800 },
  })
  await take('decisions', `/s/spring-release/decisions/${resolved}`, {
    colorScheme: 'dark',
    viewport: { width: 1280, height: 560 },
  })
})
