import { type Conversation, eventsOf } from './conversation.js'

export const german: Conversation = {
  language: 'German',
  events: eventsOf(
    'de',
    [
      ['Anke', 'Guten Morgen zusammen!'],
      ['Jörg', 'Moin 👋'],
      [
        'Anke',
        'Kurz zur Messe in Hannover: Der Veranstalter hat uns gestern geschrieben, unser Stand in Halle 7 ist weg, weil die Halle umgebaut wird. Sie bieten uns stattdessen einen kleineren Stand in Halle 4 an, 18 statt 30 Quadratmeter.',
      ],
      ['Jörg', 'Na super. Und der Preis?'],
      ['Anke', 'Der Preis sinkt um 30 Prozent, also knapp 4.200 Euro weniger.'],
      ['Selin', 'Hat jemand zufällig ein USB-C-Kabel für mich? Meins liegt zu Hause'],
      ['Jörg', 'liegt auf meinem Tisch, nimm einfach'],
      ['Selin', 'Danke!!'],
      [
        'Jörg',
        'Auf 18 Quadratmetern bekommen wir die große Maschine nicht unter. Wir müssten die Vorführung mit dem kleinen Modell machen und den Rest als Video zeigen.',
      ],
      ['Selin', 'Finde ich nicht schlimm, die Videos kamen letztes Jahr besser an als die Maschine.'],
      [
        'Planer',
        'Ich habe die Maße geprüft: Die große Maschine braucht mit Sicherheitsabstand 22 Quadratmeter und passt damit nicht auf den Stand in Halle 4; das kleine Modell braucht 6 Quadratmeter.',
      ],
      [
        'Anke',
        'Okay, dann nehmen wir Halle 4 und fahren mit dem kleinen Modell hin. Ich sage heute zu, die Frist läuft am Freitag ab.',
      ],
      ['Jörg', '👍'],
      [
        'Selin',
        'Was machen wir mit den Prospekten? In den alten steht noch überall Halle 7, und die Druckerei braucht zehn Tage.',
      ],
      ['Anke', 'Stimmt. Die Prospekte müssen neu gedruckt werden, 2.000 Stück reichen diesmal.'],
      [
        'Selin',
        'Dann gebe ich die neuen Prospekte bis Mittwoch an die Druckerei, sonst sind sie nicht rechtzeitig da. Vorlage: https://dateien.example.de/messe/prospekt-v3.pdf',
      ],
      ['Jörg', 'Perfekt. Ich muss jetzt los, Kind aus der Kita abholen'],
      ['Anke', 'Bis morgen! Schönen Feierabend'],
      ['Selin', 'Wer bucht eigentlich die Hotelzimmer?'],
    ],
    ['Planer'],
  ),
  points: [
    { about: 'der Stand in Halle 7 fällt weg, es wird der kleinere in Halle 4', madeBy: ['de-03', 'de-12'] },
    { about: 'die große Maschine passt nicht, das kleine Modell kommt mit', madeBy: ['de-09', 'de-11'] },
    { about: 'die Prospekte werden neu gedruckt', madeBy: ['de-15', 'de-16'] },
  ],
}
