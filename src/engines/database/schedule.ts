/** When a credential is to be rotated: every so many seconds, or by a cron schedule with a window. */
import { invalidRequest } from "../../api/errors.ts";

export type Schedule =
  | { readonly kind: "period"; readonly seconds: number }
  | { readonly kind: "cron"; readonly expression: string; readonly windowSeconds: number };

/** As fields say it; empty and 0 for not given. */
export interface ScheduleFields {
  readonly rotation_period: number;
  readonly rotation_schedule: string;
  readonly rotation_window: number;
}

const shortestPeriod = 5;
const shortestWindow = 3600;

/** Undefined where nothing is asked for. */
export async function readSchedule(fields: ScheduleFields): Promise<Schedule | undefined> {
  const { rotation_period, rotation_schedule, rotation_window } = fields;
  if (rotation_period !== 0 && rotation_schedule !== "") {
    throw invalidRequest(
      "mutually exclusive fields rotation_period and rotation_schedule were both specified; only one of them can be provided",
    );
  }
  if (rotation_schedule === "") {
    if (rotation_window !== 0) throw invalidRequest("rotation_window is valid only together with rotation_schedule");
    if (rotation_period === 0) return undefined;
    if (rotation_period < shortestPeriod) throw invalidRequest("rotation_period must be 5 seconds or more");
    return { kind: "period", seconds: rotation_period };
  }
  if (rotation_window !== 0 && rotation_window < shortestWindow) {
    throw invalidRequest("rotation_window must be 1 hour or more");
  }
  await requireCron(rotation_schedule);
  return { kind: "cron", expression: rotation_schedule, windowSeconds: rotation_window };
}

export const scheduleFields = (schedule: Schedule | undefined): ScheduleFields => ({
  rotation_period: schedule?.kind === "period" ? schedule.seconds : 0,
  rotation_schedule: schedule?.kind === "cron" ? schedule.expression : "",
  rotation_window: schedule?.kind === "cron" ? schedule.windowSeconds : 0,
});

/** The next time after a moment, both in milliseconds since the epoch; 0 for never. */
export async function nextTime(schedule: Schedule | undefined, after: number): Promise<number> {
  if (!schedule) return 0;
  if (schedule.kind === "period") return after + schedule.seconds * 1000;
  const { Cron } = await import("croner");
  return new Cron(schedule.expression, { timezone: "UTC" }).nextRun(new Date(after))?.getTime() ?? 0;
}

/** A time that was missed by more than the window waits for the one after it. */
export const isMissed = (schedule: Schedule | undefined, due: number, now: number): boolean =>
  schedule?.kind === "cron" && schedule.windowSeconds > 0 && now > due + schedule.windowSeconds * 1000;

/** Five fields, from minutes to days of the week. */
async function requireCron(expression: string): Promise<void> {
  const { Cron } = await import("croner");
  const fields = expression.trim().split(/\s+/).length;
  let next: Date | null = null;
  try {
    next = fields === 5 ? new Cron(expression, { timezone: "UTC" }).nextRun(new Date(0)) : null;
  } catch {
    next = null;
  }
  if (next) return;
  throw invalidRequest(
    `could not parse rotation_schedule ${JSON.stringify(expression)}: expected five cron fields, such as "0 3 * * SAT" (in UTC)`,
  );
}
