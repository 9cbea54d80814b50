/** Collects the values of a repeatable option. */
export const listed = (value: string, earlier: string[] | undefined): string[] => [...(earlier ?? []), value]
