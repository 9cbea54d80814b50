import { LIMITS } from '@collab-spaces/client'

const SPACE_ID = /^[A-Za-z0-9][A-Za-z0-9._:@~-]*$/

/** Returns whether an ID is well-formed. The field limits its length. */
export const isSpaceId = (id: string): boolean => SPACE_ID.test(id)

/** Returns an ID derived from a title, in characters of an address; empty if the title has none. */
export const idFor = (title: string): string =>
  title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, LIMITS.spaceId)
    .replace(/^-|-$/g, '')
