import { postersIn } from '@collab-spaces/client'
import { texts } from './texts'

const { types, ...words } = texts.posters
const TYPES: ReadonlyMap<string, string> = new Map(Object.entries(types))
const posters = postersIn({ ...words, asType: (type) => TYPES.get(type) ?? words.asType(type) })

// In the language of the page; the client's are English.

/** Returns the speaker that a poster names instead of itself, such as "as Ada Lovelace", or null for none. */
export const attributionInWords = posters.attributionInWords

/** Returns the poster alone, such as "Scout (agent)". */
export const posterName = posters.posterName

/** Returns the poster and its attribution, such as "Scout (agent) as Ada Lovelace". */
export const posterInWords = posters.posterInWords
