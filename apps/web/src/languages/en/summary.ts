export const summaryTexts = {
  title: 'Summary',
  windows: { day: 'The last 24 hours', week: 'The last 7 days', all: 'Everything', days: 'Custom range' },
  first: 'From',
  last: 'To',
  submit: 'Summarize',
  emptyTitle: 'Catch up quickly',
  emptyText: 'Each sentence links to its source messages, so that you can check it.',
  by: (model: string) => `written by ${model}`,
  byBuiltIn: 'extracted from its messages',
  again: 'Regenerate',
  citation: (number: number) => `Source ${number}`,
}
