import type { KeyboardEvent } from 'react'

/** Safari's code for a key that belongs to an input method: the one that ends a composition comes after its end there. */
const OF_INPUT_METHOD = 229

/** Whether a key belongs to an input method: Enter may only choose the characters of a word. */
export const isComposing = ({ nativeEvent }: Pick<KeyboardEvent, 'nativeEvent'>): boolean =>
  nativeEvent.isComposing || nativeEvent.keyCode === OF_INPUT_METHOD
