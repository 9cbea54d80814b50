import { LIMITS } from '@collab-spaces/client'

const SPACE_ID = /^[A-Za-z0-9][A-Za-z0-9._:@~-]*$/

/** Whether a space can have this id; the field limits its length. */
export const isSpaceId = (id: string): boolean => SPACE_ID.test(id)

/** An id that says what a title says, in the letters of an address; empty where it has none of them. */
export const idFor = (title: string): string =>
  title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, LIMITS.spaceId)
    .replace(/^-|-$/g, '')
