// A cron expression as people say it; the expression itself where it takes more than one sentence.

const days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const months = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

export function cronWords(fields: readonly string[]): string {
  const [minute = "*", hour = "*", day = "*", month = "*", weekday = "*"] = fields;
  const when = timeWords(minute, hour);
  const which = dateWords(day, month, weekday);
  return when === undefined || which === undefined ? `at ${fields.join(" ")}` : `${when}${which}`;
}

function timeWords(minute: string, hour: string): string | undefined {
  const everyMinutes = stepOf(minute);
  const everyHours = stepOf(hour);
  if (minute === "*" && hour === "*") return "every minute";
  if (everyMinutes !== undefined && hour === "*") return `every ${everyMinutes} minutes`;
  if (isValue(minute) && hour === "*") return `every hour at minute ${Number(minute)}`;
  if (isValue(minute) && everyHours !== undefined)
    return `every ${everyHours} hours at minute ${Number(minute)}`;
  if (isValue(minute) && isValue(hour)) return `at ${hour.padStart(2, "0")}:${minute.padStart(2, "0")}`;
  return undefined;
}

function dateWords(day: string, month: string, weekday: string): string | undefined {
  if (day === "*" && month === "*" && weekday === "*") return "";
  if (day === "*" && month === "*") {
    const named = weekdayWords(weekday);
    return named === undefined ? undefined : `, ${named}`;
  }
  if (weekday !== "*" || !isValue(day)) return undefined;
  if (month === "*") return `, on day ${Number(day)} of each month`;
  const name = isValue(month) ? months[Number(month) - 1] : undefined;
  return name === undefined ? undefined : `, on ${Number(day)} ${name}`;
}

function weekdayWords(weekday: string): string | undefined {
  const [, from, to] = /^(\d)-(\d)$/.exec(weekday) ?? [];
  if (from !== undefined && to !== undefined) return `${days[Number(from)]} to ${days[Number(to)]}`;
  const listed = weekday.split(",");
  return listed.every(isValue) ? listed.map((value) => days[Number(value)]).join(", ") : undefined;
}

function isValue(field: string): boolean {
  return /^\d+$/.test(field);
}

function stepOf(field: string): number | undefined {
  const [, step] = /^\*\/(\d+)$/.exec(field) ?? [];
  return step === undefined ? undefined : Number(step);
}
