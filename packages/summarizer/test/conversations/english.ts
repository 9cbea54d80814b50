import { type Conversation, eventsOf } from './conversation.js'

export const english: Conversation = {
  language: 'English',
  events: eventsOf(
    'en',
    [
      ['Maya', 'Morning everyone ☕'],
      ['Tom', 'morning!'],
      [
        'Maya',
        'Quick one before standup: the payment import failed again last night, third time this week. About 240 invoices were not booked.',
      ],
      ['Tom', 'ugh. I saw the alert but thought it was the usual timeout'],
      ['Priya', "Anyone else's coffee machine broken on the 3rd floor?"],
      ['Tom', "yes, since Monday. they're waiting for a part"],
      [
        'build-bot',
        'I looked at the logs of the import: the bank changed the date format in its export file from DD.MM.YYYY to ISO on 2 June, and our parser rejects every row with the new date format.',
      ],
      ['Maya', 'That explains why only the new files fail.'],
      ['Tom', 'So we need a parser that accepts both formats, old files still come from the second bank.'],
      ['Priya', 'Can we still make the release on Thursday?'],
      [
        'Tom',
        "honestly no. With the import broken I don't want to ship on Thursday. I'd move the release to next Tuesday, then QA has two full days for the parser.",
      ],
      ['Maya', "Agreed, release moves to Tuesday the 10th. I'll tell the customers."],
      ['Priya', '👍'],
      ['Priya', 'who books the 240 invoices by hand in the meantime? Accounting closes the month on Friday.'],
      [
        'Maya',
        "I'll ask Jonas from accounting, his team can book the missing invoices manually by Thursday evening if we send them the list.",
      ],
      ['build-bot', 'The list of the 240 unbooked invoices is at https://files.example.com/imports/unbooked-june.csv'],
      ['Tom', 'nice, thanks bot'],
      ['Priya', 'btw did you see the game last night? unbelievable last minute'],
      ['Tom', "don't spoil it! watching the recording tonight 😅"],
      ['Maya', 'lol ok. Standup in 5'],
      ['Priya', 'Does the second bank plan to change its format too?'],
    ],
    ['build-bot'],
  ),
  points: [
    { about: 'the bank changed its date format, our parser must accept both', madeBy: ['en-07', 'en-09'] },
    { about: 'the release moves from Thursday to Tuesday', madeBy: ['en-11', 'en-12'] },
    { about: '240 invoices are unbooked, accounting books them by hand', madeBy: ['en-03', 'en-15'] },
  ],
}
