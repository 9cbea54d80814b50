/**
 * Detects names that look the same, so that a speaker cannot pass as a member. The database compares the names of
 * members by `folded_name`, which makes the same form: a test compares the two.
 */

/** Neither seen nor a part of a letter: blanks, invisible characters, marks of direction, accents. */
const LEFT_OUT =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are left out
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each is left out by itself
  /[\u0000-\u0020\u007f-\u00a0\u00ad\u0300-\u036f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u1ab0-\u1aff\u1dc0-\u1dff\u2000-\u200f\u2028-\u202f\u205f-\u206f\u20d0-\u20ff\u2800\u3000\u3164\ufe00-\ufe0f\ufe20-\ufe2f\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]+/gu

/**
 * Characters that look like other letters, and those letters: of Unicode's confusables (UTS 39, version 10), as
 * scripts/lookalikes.mjs reduces them. `I`, `l`, `i` and `1` are one, too.
 */
const LOOKALIKES =
  '01Ii|ÐØøĐđĦħıĸŁłŦŧƀƂƃƄƉƌƍƑƒƖƗƙƚƝƞƟƥƦƧƭƮƴƵƶƷƻƼƽƿǀǤǥȜȢȣȤȥȼȾɄɆɇɈɉɍɎɏɑɓɖɗəɛɠɡɢɣɦɨɩɪɫ' +
  'ɭɯɱɳɴɵɶɼɽʀʂʋʍʏʐʒʙʜʟʠʿͰͶͷͻͽͿΑΒΕΖΗΘΙΚΛΜΝΟΡΣΤΥΧαβγδεηθικνορςστυφϛϜϨϩϳϷϸϺϽϿЄЅІЈАБВГЕ' +
  'ЗКЛМНОПРСТУФХЬабвгезикмнопрстуфхьяєѕіјћѡѢѣѰѱѲѳѴѵҊҋҌҍҒғҖҗҘҙҚқҞҟҢңҪҫҬҭҮүҰұҲһҽҾҿӀӅӆ' +
  'ӇӈӉӊӋӌӍӎӏӔӕӘәӠӡӨөԁԊԌԍԐԑԛԜԝԻՄՊՌՍՏՓՕագզծհյոպռսցքօ\u05d5\u05d8\u05df\u05e1\u0627\u063d\u0647\u064a\u0661\u0665\u0667\u0668\u066e\u066f\u0692\u06a7\u06a9\u06aa\u06b5\u06ba\u06be\u06c1\u06c3\u06c6\u06c7\u06c9\u06cc\u06ce\u06d0\u06d2\u06d5\u06ee\u06ef' +
  '\u06f1\u06f2\u06f3\u06f4\u06f5\u06f6\u06f7\u06f8\u06f9\u06ff\u0756\u0762\u0767\u0769\u077e\u07c0\u07ca\u08a9\u08ae\u08af\u08b0\u08b1\u08b2\u08b9\u08ba\u08bb\u08bc\u08bd०१০৪৭੦੧੪ઽ૦૨૩૪૮ଠ୦୨ஜர௦௧௨௪௭௮௰ఢభష౦ಅಆಇಒಜಞಣಯಱಲ೦೧೨೯ഉജഠണറഴശൎ' +
  'ൡ൦൭෪෫ฃซฏดตทมฦๅ๐ຈຍບປຝພຟ໐ཪဝ၀ၥႠყჳჿᅳᅵᆨᆫᆮᆯᆷᆸᆺᆼᆽᆾᆿᇀᇁᇂᇫᇰᇹሀሣቀበኔዐᎠᎡᎢᎥᎨᎩᎪᎫᎬᎰᎱᎳᎷᎻᎽᎾᎿᏀᏂᏃᏇᏋᏌᏎ' +
  'ᏏᏒᏔᏕᏙᏚᏞᏟᏢᏦᏧᏫᏮᏰᏲᏳᏴᏻᏼᐃᐯᐱᑌᑎᑭᑯᒍᒥᒪᒿᓑᕀᕁᕷᕼᕽᖇᖯᖴᖵᖷᗄᗅᗞᗪᗯᗰᗷᘂᘃᘄᘇᘢᘣᘤᘮᘯᘴᘵᚷᛁᛂᛕᛖᛘᛡᛰឣᡕᢖᣛ᧐᧑᪀᪐᭒᭓᭘ᴀᴄ' +
  'ᴅᴇᴈᴊᴋᴍᴏᴐᴑᴘᴛᴜᴠᴡᴢᴤᴦᴧᴨᴩᴫᵮᵯᵰᵲᵳᵴᵵᵶᵻᵼᵽᵾᵿᶃᶌᶐẝỿↃↄⱧⱩⲄⲅⲆⲈⲉⲎⲒⲔⲕⲖⲘⲚⲞⲟⲠⲢⲣⲤⲥⲦⲨⲪⲫⲬⲭⲮⲱⲼⲽⳊⳌⳍⳐⳑⳒⳜⳤ' +
  'ⴱⴷⴸⴹⴺⵁⵉⵏⵔⵕⵙⵝⵠⵣ〇イエカタトニハヘロ㦳䎛䐠一倂值啟囗填士壿嬀帲幐戸搉晣晩曶朦柿槩樧潙硏絶肦胊胐胶脁脧腁膧蔿虁訞詽讏豣趆跺躛輧郞鎮隸鹃黒鿃ꓐꓑꓒꓓꓔꓖ' +
  'ꓗꓙꓚꓛꓜꓝꓞꓟꓠꓡꓢꓣꓥꓦꓧꓪꓫꓬꓭꓮꓯꓰꓱꓲꓳꓴꓵꓷꙄꙅꙇꙍꙨꚕꚘꚙꚚꚡꚰꚱꛍꛎꛛꛟꛯꜰꜱꝀꝊꝋꝚꝡꝪꝫꝮꞕꞘꞙꞚꞛꞝꞞꞟꞫꞱꞲꞳꞴꞵꞶꞷꟷꦒꦣꧏ꩓꩖ꬲꬵꬽ' +
  'ꬾꬿꭇꭈꭍꭎꭒꭓꭕꭚꭠꭰꭱꭲꭴꭵꭺꭻꭼꭾꮀꮁꮃꮇꮋꮎꮐꮓꮛꮜꮟꮢꮩꮪꮮꮯꮲꮶꮻ𐊂𐊅𐊆𐊇𐊊𐊍𐊐𐊒𐊔𐊕𐊖𐊗𐊠𐊡𐊢𐊣𐊥𐊫𐊭𐊰𐊱𐊲𐊳𐊴𐊵𐊶𐊸𐋏𐋡𐋤𐋨𐋲𐋵𐌁𐌂𐌉𐌑𐌒𐌕𐌗𐌚' +
  '𐌠𐌢𐏑𐏓𐐁𐐄𐐑𐐕𐐛𐐟𐐠𐐣𐐥𐐩𐐪𐐬𐐽𐐿𐑂𐑃𐑈𐑋𐑍𐒠𐒰𐒴𐒼𐓂𐓃𐓄𐓍𐓎𐓐𐓑𐓒𐓘𐓛𐓪𐓫𐓶𐓹𐔓𐔖𐔘𐔜𐔝𐔥𐔦𐔧\u{10cfa}\u{10cfc}𑇜𑒒𑒔𑒖𑒘𑒙𑒛𑒝𑒞𑒟𑒠𑒡𑒢𑒣𑒧𑒨𑒩𑒪𑒫𑒭𑒮𑓄𑓅𑓐𑓑𑓒𑓖𑗘𑗙' +
  '𑗚𑗛𑜀𑜆𑜊𑜎𑜏𑢠𑢢𑢣𑢤𑢦𑢩𑢬𑢮𑢯𑢲𑢵𑢷𑢸𑢻𑢼𑣀𑣁𑣂𑣃𑣄𑣆𑣈𑣊𑣌𑣎𑣕𑣖𑣗𑣘𑣜𑣠𑣣𑣤𑣥𑣦𑣩𑣬𑣯𑣲𒀸𓋹𖼇𖼈𖼊𖼖𖼚𖼜𖼦𖼨𖼭𖼵𖼺𖼻𖼽𖽀𖽂𖽃\u{1e8c7}\u{1e8c9}\u{1e8cb}'
const LETTERS =
  'olllldooddhhlkllttbbbbddgffllklnnopr2ttyzz325sþlgg388zzctueejjryyabddǝꞓgggyhllll' +
  'lwmnnoœrrrsumyzȝbhlqՙⱶᴎᴎɔꜿjabezholkʌmnopʃtyxaßyẟꞓnolkvopootuɸςf2ƨjþþmɔꜿꞓsljabbye' +
  '3kʌmhoπpctyɸxba6breɜᴎkmhoπpctyɸxƅᴙꞓsljhwbbψψoovvᴎᴎbbyrжж3ɜkkkkhhccttyyyyxheeelʌл' +
  'hhhhҷҷmmlææǝǝ3ȝoodƕggꞓꞓqwwኮሆጣቡusɸowqqẟhȷnɰnugfolvlol\u0649o\u0649lovʌ\u0649\u06a1\u0631\u0641\u0643\u0643\u0644\u0649oo\u0629\u0648\u0648\u0648\u0649\u0649\u067b\u0649o\u062f\u0631' +
  'l\u0662\u0663\u0664o\u0666vʌ\u0669o\u0649\u06ac\u0754\u0646\u0633ol\u0754\u062f\u0635\u06af\u0648\u0632\u0631\u0649\u06a1\u06a1\u0649o\u0669o89o98ऽo२३४८oo9ஐஈoகஉசஎஅயడబవoఅఆఇఒజఞణయఱలo౧౨౯உஐoணരழஶॱ' +
  'ഞo9ජදขชฎคคฑฆภาoจยบปฝพฟoརoo၁ꞇyȝoー丨ᄀᄂᄃᄅᄆᄇᄉᄋᄌᄎᄏᄐᄑᄒᅀᅌᅙuɰɸnձodrtlⱶyajeⱶywmhyoƫghzwꞓu4' +
  'brwsvslcpkdo6ßhgbgbẟvʌunpdjyl2ᐡᐩxẟhxrbfⅎꟻɐaddwmbᒐᒉᓓᓚᕃᕆᕊʊωʊωxlᚽkmψᚼɸអᠵᡜᣵᦞᦱᩅᩅᬍᬑᬨac' +
  'deɜjkmoɔoptuvwzƨrʌπpлfmnrɾstzllpuʊgyɋfyɔɔhkyrẟꞓꞓhlkkλmnooπppcctyɸɸxχψωшш93ȝll6ϭϗ' +
  'oʌveǝoʃloqʘxẟᛯo亻工力夕卜二八へ口㘽㖈㬻ー併値啓口塡土墫媯帡㬺戶㩁䀿晚㫚䑃杮㮣榝溈研絕朌朐朏㬵朓朘胼朣蒍蘷䚶訮讆豜赿跥躗軿郎鎭隷鹂黑䀹bpddtg' +
  'kjcɔzfⅎmnlsrʌvhwxyᙠaɐeǝlounᗡ2ƨlωʘhꝏꝏ𐊨ᴎᚹⱶʡʌπv2fskoo2w3ȝ9ꜧff𐐺𐐺ʚꓤu3ꓕjxbßωωーⰿꦝ\u0662ꨁꨣefo' +
  'oɔrrʃuuχχyљdrtolajeɂⱶrwmhogzꞓuƅrvslcpkobẟeflʌxoᛜpstabcẟfoϙmtyɸxψωⵀh\u062f\u0648\u0637\u0635zbclmϙtx8' +
  'lx𐎂𐎓ꞓoꓶclɒsɔᴎꞓʚocɷɞlsɔᴎ𐒆ʌrӄoʘþhuᛦψ7ʌλoꙩuψnokcvflx\u{10ce5}\u{10cc2}ꣻঘচজঞটডলতথদধনপমযবণরষসঽwo১২৬𑖂𑖂' +
  '𑖃𑖄mvwwwvflyez9e4loᛜu5tvsflz7o39ꞓ69ouyom\u0669zwcxwc𐎚\u{1099e}yvtlẟꙙꓶlꞓrs3ʌauyl\u06638'

const letters = Array.from(LETTERS)
const LETTER_OF = new Map(Array.from(LOOKALIKES, (character, at) => [character, letters[at] as string]))

/** Pairs of letters that look like one. */
const PAIRS = [
  ['rn', 'm'],
  ['ae', 'æ'],
  ['oe', 'œ'],
  ['oo', 'ꝏ'],
  ['dz', 'ʣ'],
  ['ts', 'ʦ'],
  ['lo', 'ю'],
  ['bl', 'ы'],
] as const

/** Returns what names that look the same have in common. It is for comparing only. */
export function lookalikeForm(name: string): string {
  const plain = name.normalize('NFKD').replace(LEFT_OUT, '')
  const form = translated(translated(plain).toLowerCase())
  return PAIRS.reduce((text, [pair, one]) => text.replaceAll(pair, one), form)
}

const translated = (text: string) => Array.from(text, (character) => LETTER_OF.get(character) ?? character).join('')

/** Returns the forms of all that a name may be read as: characters that change its direction can turn it around. */
export function lookalikeForms(name: string): readonly string[] {
  if (!TURNS.test(name)) return [lookalikeForm(name)]
  const shown = asTurned(name)
  const words = shown.split(/\s+/u).reverse().join(' ')
  return [...new Set([name, shown, words].map(lookalikeForm))]
}

const TURNS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
const BEGINS = /[\u202a\u202b\u202d\u202e\u2066-\u2068]/u
const ENDS = /[\u202c\u2069]/u
const RIGHT_TO_LEFT_OVERRIDE = '\u202e'

/** A part of a text that has a direction of its own. */
interface Turn {
  readonly isReversed: boolean
  readonly parts: string[]
}

/** Returns a text as it is shown where its direction is overridden. */
function asTurned(text: string): string {
  const open: Turn[] = [{ isReversed: false, parts: [] }]
  const close = () => {
    const { isReversed, parts } = open.pop() as Turn
    open.at(-1)?.parts.push((isReversed ? parts.reverse() : parts).join(''))
  }
  for (const character of text) {
    if (BEGINS.test(character)) open.push({ isReversed: character === RIGHT_TO_LEFT_OVERRIDE, parts: [] })
    else if (!ENDS.test(character)) open.at(-1)?.parts.push(character)
    else if (open.length > 1) close()
  }
  while (open.length > 1) close()
  return open[0]?.parts.join('') ?? ''
}
