const SCRIPTS = String.raw`\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{scx=Hang}\p{scx=Yiii}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}\p{scx=Lana}\p{scx=Java}\p{scx=Bali}`

/** Letters of scripts that are written without spaces, or, in Korean, with particles right behind a name. */
export const UNSPACED_LETTER = String.raw`(?=\p{L})[${SCRIPTS}]`

/** Letters and punctuation of such scripts, the full-width forms included. */
export const UNSPACED = String.raw`[${SCRIPTS}\u3000-\u303f\ufe30-\ufe4f\uff01-\uffee]`
