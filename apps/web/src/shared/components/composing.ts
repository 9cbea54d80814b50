import type { KeyboardEvent } from 'react'

/** The key code of input methods. In Safari, the key that ends a composition arrives after `compositionend`. */
const INPUT_METHOD_KEY_CODE = 229

/** Returns whether a key belongs to an input method, where Enter may only confirm characters. */
export const isComposing = ({ nativeEvent }: Pick<KeyboardEvent, 'nativeEvent'>): boolean =>
  nativeEvent.isComposing || nativeEvent.keyCode === INPUT_METHOD_KEY_CODE
