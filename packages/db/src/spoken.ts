import { SPOKEN_FIELDS } from '@collab-spaces/domain'

/** The `Spoken` of an event, from its JSON: the names are those at the time of writing. */
export const spokenOf = (wire: string): string =>
  `json_build_object(${SPOKEN_FIELDS.map((field) => `'${field}', ${wire} ->> '${field}'`).join(', ')})`
