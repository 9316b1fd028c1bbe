/** Times and durations as Go prints them; for the names of contexts. */

/** `2006-01-02 15:04:05.1 +0000 UTC [1h0m0.5s]`: when, and how long until then. */
export function goDeadline(at: number, now: number): string {
  return `${goTime(at)} [${goDuration(at - now)}]`;
}

function goTime(at: number): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return String(at);
  const [day, time] = date.toISOString().slice(0, -1).split('T');
  return `${day} ${time.replace(/\.?0+$/, '')} +0000 UTC`;
}

export function goDuration(ms: number): string {
  if (!Number.isFinite(ms)) return String(ms);
  const nanoseconds = Math.round(Math.abs(ms) * 1e6);
  if (nanoseconds === 0) return '0s';
  const sign = ms < 0 ? '-' : '';
  if (nanoseconds < 1e3) return `${sign}${nanoseconds}ns`;
  if (nanoseconds < 1e6) return `${sign}${decimal(nanoseconds, 3)}µs`;
  if (nanoseconds < 1e9) return `${sign}${decimal(nanoseconds, 6)}ms`;
  const minutes = Math.floor(nanoseconds / 60e9);
  const hours = Math.floor(minutes / 60);
  const seconds = `${decimal(nanoseconds - minutes * 60e9, 9)}s`;
  if (minutes === 0) return sign + seconds;
  return hours === 0 ? `${sign}${minutes}m${seconds}` : `${sign}${hours}h${minutes % 60}m${seconds}`;
}

/** `value` / 10^digits without trailing zeros. */
function decimal(value: number, digits: number): string {
  const text = String(value).padStart(digits + 1, '0');
  const fraction = text.slice(-digits).replace(/0+$/, '');
  return text.slice(0, -digits) + (fraction === '' ? '' : `.${fraction}`);
}
