import { LANGUAGES, language } from './languages/language'
import { loadTexts } from './languages/texts'

/** Loads the texts, then the app. The modules of both import this file's, so that it must not wait at its top. */
async function load(): Promise<void> {
  await loadTexts(language)
  const { start } = await import('./app/start')
  start()
}

document.documentElement.lang = language
document.documentElement.dir = LANGUAGES[language].direction
void load()
