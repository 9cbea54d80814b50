export const summaryTexts = {
  title: 'Summary',
  windows: { day: 'The last 24 hours', week: 'The last 7 days', all: 'Everything', days: 'Certain days' },
  first: 'From',
  last: 'To',
  submit: 'Summarize',
  emptyTitle: 'Catch up quickly',
  emptyText: 'Each sentence leads to the messages it rests on, so that you can check it.',
  by: (model: string) => `written by ${model}`,
  byBuiltIn: 'made of its own sentences',
  again: 'Write it again',
  citation: (number: number) => `Source ${number}`,
}
