/** "1 event", "2,000 events". */
export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${count === 1 ? noun : `${noun}s`}`
