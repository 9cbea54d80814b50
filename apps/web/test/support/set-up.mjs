import { loadTexts } from '../../src/languages/texts'

// Modules read texts when they load.
await loadTexts('en')
