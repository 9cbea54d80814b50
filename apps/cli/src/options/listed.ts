/** For an option that may be given again and again: all that was given. */
export const listed = (value: string, earlier: string[] | undefined): string[] => [...(earlier ?? []), value]
