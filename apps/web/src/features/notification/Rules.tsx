import { useState } from 'react'
import { Button } from '../../shared/components/Button'
import { FormDialog } from '../../shared/components/Dialog'
import { CheckField, SelectField, TextField } from '../../shared/components/Field'
import { List, ListRow } from '../../shared/components/List'
import { Section } from '../../shared/components/PageFrame'
import { type Notifications, useChangeNotifications } from '../../shared/query/notification'
import { texts } from '../../shared/texts'
import { notificationsTexts } from './texts'

/** In minutes. */
const DELAYS = [0, 5, 15, 30, 60, 240, 1_440] as const
const NIGHT = { from: '22:00', until: '07:00' } as const

/** What this account is notified about, and when. */
export function Rules({ settings }: { readonly settings: Notifications }) {
  const [isChanging, setIsChanging] = useState(false)
  const { notices, delay_minutes, push_delay_minutes, quiet_hours, time_zone, shows_presence } = settings
  const words = notificationsTexts.rules
  return (
    <Section
      title={words.title}
      aside={
        <Button icon="settings" onClick={() => setIsChanging(true)}>
          {texts.change}
        </Button>
      }
    >
      <List label={words.title}>
        <ListRow icon="bell" title={words.levels[notices]}>
          <span>{words.levelHint}</span>
        </ListRow>
        <ListRow icon="clock" title={words.timing(words.after(delay_minutes), words.after(push_delay_minutes))}>
          <span>{words.afterHint}</span>
        </ListRow>
        <ListRow icon="pause" title={quiet_hours ? words.quiet(quiet_hours.from, quiet_hours.until) : words.noQuiet}>
          <span>{quiet_hours ? words.quietHint(time_zone) : words.noQuietHint}</span>
        </ListRow>
        <ListRow icon="people" title={words.presence[shows_presence ? 'on' : 'off']}>
          <span>{words.showsPresenceHint}</span>
        </ListRow>
      </List>
      {isChanging && <ChangeRules settings={settings} onClose={() => setIsChanging(false)} />}
    </Section>
  )
}

function ChangeRules({ settings, onClose }: { readonly settings: Notifications; readonly onClose: () => void }) {
  const [notices, setNotices] = useState(settings.notices)
  const [delay, setDelay] = useState(String(settings.delay_minutes))
  const [pushDelay, setPushDelay] = useState(String(settings.push_delay_minutes))
  const [isQuiet, setIsQuiet] = useState(settings.quiet_hours !== null)
  const [hours, setHours] = useState(settings.quiet_hours ?? NIGHT)
  const zoneHere = Intl.DateTimeFormat().resolvedOptions().timeZone
  const [zone, setZone] = useState(settings.quiet_hours ? settings.time_zone : zoneHere)
  const [showsPresence, setShowsPresence] = useState(settings.shows_presence)
  const change = useChangeNotifications()
  const words = notificationsTexts.rules
  const delays = [...new Set([...DELAYS, settings.delay_minutes, settings.push_delay_minutes])]
    .toSorted((a, b) => a - b)
    .map((minutes) => ({ value: String(minutes), label: words.after(minutes) }))
  const zones = [...new Set([zoneHere, settings.time_zone, ...Intl.supportedValuesOf('timeZone')])]
  const submit = () => {
    const quiet = isQuiet ? { quiet_hours: hours, time_zone: zone } : { quiet_hours: null }
    const timing = { delay_minutes: Number(delay), push_delay_minutes: Number(pushDelay) }
    change.mutate({ notices, ...timing, ...quiet, shows_presence: showsPresence }, { onSuccess: onClose })
  }
  return (
    <FormDialog title={words.title} request={change} onClose={onClose} onSubmit={submit}>
      <SelectField
        label={words.level}
        hint={words.levelHint}
        value={notices}
        options={words.levels}
        onChange={setNotices}
      />
      <SelectField
        label={words.pushDelay}
        hint={words.afterHint}
        value={pushDelay}
        options={delays}
        onChange={setPushDelay}
      />
      <SelectField label={words.delay} value={delay} options={delays} onChange={setDelay} />
      <CheckField label={words.isQuiet} hint={words.isQuietHint} checked={isQuiet} onChange={setIsQuiet} />
      {isQuiet && (
        <>
          <TextField
            label={words.from}
            type="time"
            value={hours.from}
            onChange={(from) => setHours({ ...hours, from })}
            required
          />
          <TextField
            label={words.until}
            type="time"
            value={hours.until}
            onChange={(until) => setHours({ ...hours, until })}
            required
          />
          <SelectField
            label={words.zone}
            value={zone}
            options={zones.map((value) => ({ value, label: value.replaceAll('_', ' ') }))}
            onChange={setZone}
          />
        </>
      )}
      <CheckField
        label={words.showsPresence}
        hint={words.showsPresenceHint}
        checked={showsPresence}
        onChange={setShowsPresence}
      />
    </FormDialog>
  )
}
