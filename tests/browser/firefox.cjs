// Loaded by Playwright's driver before itself. It tells each Firefox a colour scheme, by a command
// that 153, the extended support release, does not know, and gives up; one without effect is sent.

"use strict";

const { stringify } = JSON;
const isUnknown = (value) => value?.method === "emulation.setMediaFeaturesOverride";

JSON.stringify = (value, ...how) =>
  stringify(isUnknown(value) ? { ...value, method: "session.status", params: {} } : value, ...how);
