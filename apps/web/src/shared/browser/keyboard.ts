/** Somebody who opens a thread writes in it. On a touch screen, a keyboard that comes up would hide what is to be read. */
export const HAS_KEYBOARD = window.matchMedia('(pointer: fine)').matches
