/**
 * Returns the direction of a field: its text's, but the page's while it is empty, so that the placeholder starts where the
 * page's lines do. With `auto`, an empty field is left-to-right.
 */
export const directionOf = (value: unknown): 'auto' | undefined => (value ? 'auto' : undefined)
