import { latinWords } from './latin-words.js'
import { URLS } from './links.js'
import { type Script, segmenters } from './script.js'

/** Longer than any readable sentence. Further words are ignored. */
const WORDS_READ = 80

/**
 * Function words of the most common languages. Usually their frequency in the window gives them away, but in a window
 * of twenty messages it does not tell "the" from "bank".
 */
const FUNCTION_WORDS = new Set(
  `
  the a an and or but if so of to in on at by for with from into than then that this these those there here it its
  is are was were be been being am do does did has have had having will would can could should may might must shall
  not no yes i me my we us our you your he him his she her they them their who what which when where why how as
  just also only very too about some any all more most up out over still again already ok okay
  i'm it's don't that's i'll i'd we're we'll let's can't didn't isn't doesn't won't you're
  der die das den dem des ein eine einen einem einer eines und oder aber wenn dass weil denn als wie wo was wer wann
  warum ist sind war waren sein bin bist hat habe haben hatte wird werden wurde würde kann können könnte muss müssen
  müsste soll sollte will wollen darf nicht kein keine nein ja ich mich mir mein meine du dich dir dein er ihn ihm
  sie ihr ihre es wir uns unser unsere man sich so da dann doch noch schon auch nur mal eben halt eigentlich sehr mehr
  im am zum zur vom beim auf aus bei mit nach von vor zu an in um für über unter durch ohne gegen bis seit sonst damit
  le la les un une des du de et ou mais si que qui quoi est sont était être a ont avait avoir pas ne non oui je moi
  mon ma mes tu te toi ton il elle on nous notre vous votre ils elles ce cette ces se sa son ses leur y en dans sur
  avec pour par plus aussi très c'est j'ai qu'il qu'on d'un d'une l'on n'est
  el los las una unos unas del al y o pero porque cuando como donde es son fue era ser está están estar ha han había
  hay no sí yo mi tú tu su sus nos lo se con para por sin más muy también ya esto eso esta este
  il lo gli uno e ma perché quando come dove è sono era essere ho ha hanno non io mio noi voi loro questo questa
  di da con per tra fra più molto anche
  o os as um uma do da dos das no na nos nas e mas quando onde é são foi ser tem têm não sim eu meu nós você ele ela
  het een en of maar dat deze dit die er zijn was heeft hebben wordt worden kan moet niet geen ik jij hij wij ze van
  op te met voor naar bij ook nog wel dan
  の は が を に へ と で も や か ね よ な わ から まで より など って です ます でし まし た だ て い し れ る さ せ ん
  ない なく ある あり いる おり する した して なる なり こと もの ため よう それ これ あれ その この あの そう どう ここ そこ
  ください お ご さん ちゃん では でも けど ので のに という たい ましょう ません ですが
  的 了 是 在 我 你 您 他 她 它 们 我们 你们 他们 这 那 这个 那个 这里 那里 这样 有 没 没有 不 不是 也 都 就 还 又 才
  和 与 跟 或 但 但是 而 把 被 给 让 对 从 到 向 为 以 要 会 能 可以 可能 得 地 着 过 吗 呢 吧 啊 哦 嗯 很 太 最
  什么 怎么 怎么样 谁 哪 哪里 几 个 一 一个 一下 先 再 来 去 说 上 下 好 好的 如果 因为 所以 不过 就是 那边 这边 家
  這 那個 們 我們 沒有 沒 會 嗎 對 給 讓 為 從 過 還 來 說
  ที่ ของ และ หรือ แต่ ก็ จะ ได้ ให้ เป็น อยู่ คือ มี ไม่ ใช่ ว่า กับ ใน บน จาก ไป มา แล้ว เลย ด้วย นะ คะ ค่ะ ครับ
  นี้ นั้น นี่ นั่น เรา ผม ฉัน เขา เธอ คุณ ดิฉัน การ ความ เพราะ ถ้า เดี๋ยว อีก ทุก กัน ดี ไหม อะไร ใคร ยังไง ไหน
  ตอน นี้ ต้อง เพื่อ โดย ซึ่ง ๆ ค่า งั้น ส่วน กว่า เคย คน ตัว
  `
    .trim()
    .split(/\s+/),
)

const segmenter = segmenters('word')

const HANGUL = /^\p{Script=Hangul}+$/u
const HAN = /^\p{Script=Han}$/u
const UNSPACED =
  /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
const MARKS = /\p{M}/gu
const ENDING = /(?:ungen|ungs|ung|ings|ing|ern|ers|est|ed|en|er|em|es|e|s|n)$/

/**
 * Returns the meaningful words of a sentence, normalized in case, accents, width and common endings. Korean words are
 * split into pairs of syllables, because particles are attached to them. Web addresses are omitted.
 */
export function wordsOf(sentence: string, script: Script): string[] {
  const words: string[] = []
  let seen = 0
  let single = ''
  for (const { segment, isWordLike } of segmentsOf(sentence.replace(URLS, ' '), script)) {
    // The dictionary does not know rare names and separates their characters: 东|莞 is one word.
    if (HAN.test(segment) && !FUNCTION_WORDS.has(segment)) {
      single += segment
      continue
    }
    if (single.length > 1) words.push(single)
    single = ''
    if (!isWordLike) continue
    seen++
    if (seen > WORDS_READ) break
    const word = segment.normalize('NFKC').toLowerCase()
    if (FUNCTION_WORDS.has(word)) continue
    if (HANGUL.test(word)) words.push(...syllablePairs(word))
    else if (UNSPACED.test(word)) words.push(word)
    else if (word.length > 1 || /\p{N}/u.test(word)) words.push(stem(word))
  }
  if (single.length > 1) words.push(single)
  return words
}

/** Returns the segments of a sentence. */
function segmentsOf(sentence: string, script: Script): Iterable<Pick<Intl.SegmentData, 'segment' | 'isWordLike'>> {
  const words = script === 'spaced' ? latinWords(sentence) : null
  return words?.map((segment) => ({ segment, isWordLike: true })) ?? segmenter(script).segment(sentence)
}

function syllablePairs(word: string): string[] {
  return word.length < 3 ? [word] : Array.from({ length: word.length - 1 }, (_, i) => word.slice(i, i + 2))
}

/** Removes a common ending, by one rule for all languages. At least four letters remain. */
function stem(word: string): string {
  const bare = word
    .normalize('NFD')
    .replace(MARKS, '')
    .replace(/['’]s$/, '')
  const stemmed = bare.replace(ENDING, '')
  return stemmed.length >= 4 ? stemmed : bare
}
