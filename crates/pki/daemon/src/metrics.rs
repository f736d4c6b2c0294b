//! Counters in the text format of Prometheus.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The upper bounds of the latency buckets, in seconds.
const BOUNDS: [f64; 10] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0];

#[derive(Clone, Default)]
struct Latency {
    buckets: [u64; BOUNDS.len()],
    count: u64,
    sum: f64,
}

/// The counters of a server since its start.
#[derive(Default)]
pub(crate) struct Metrics {
    /// Requests by service and status.
    requests: Mutex<BTreeMap<(&'static str, u16), u64>>,
    latencies: Mutex<BTreeMap<&'static str, Latency>>,
    pub(crate) connections: AtomicU64,
    pub(crate) reloads: AtomicU64,
    pub(crate) failed_reloads: AtomicU64,
    /// Certificates that were issued to clients before the last reload.
    pub(crate) issued_before: AtomicU64,
}

/// Values that are read for each request for metrics.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gauges {
    pub(crate) issued: u64,
    pub(crate) database_errors: u64,
    pub(crate) tls_failures: u64,
    pub(crate) tls_not_after: Option<i64>,
    pub(crate) is_ready: bool,
    /// The configured services, and whether they can answer requests.
    pub(crate) services: Vec<(&'static str, bool)>,
}

impl Metrics {
    pub(crate) fn record(&self, service: &'static str, status: u16, elapsed: Duration) {
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        let count = requests.entry((service, status)).or_default();
        *count = count.saturating_add(1);
        drop(requests);
        let seconds = elapsed.as_secs_f64();
        let mut latencies = self.latencies.lock().unwrap_or_else(PoisonError::into_inner);
        let latency = latencies.entry(service).or_default();
        latency.count = latency.count.saturating_add(1);
        latency.sum += seconds;
        for (bucket, bound) in latency.buckets.iter_mut().zip(BOUNDS) {
            if seconds <= bound {
                *bucket = bucket.saturating_add(1);
            }
        }
    }

    /// The numbers of requests, and of those that failed with a server error, by service.
    pub(crate) fn totals(&self) -> BTreeMap<&'static str, (u64, u64)> {
        let mut totals: BTreeMap<&'static str, (u64, u64)> = BTreeMap::new();
        for ((service, status), count) in &*self.requests.lock().unwrap_or_else(PoisonError::into_inner) {
            let total = totals.entry(service).or_default();
            total.0 = total.0.saturating_add(*count);
            if *status >= 500 {
                total.1 = total.1.saturating_add(*count);
            }
        }
        totals
    }

    /// The text for Prometheus.
    pub(crate) fn render(&self, gauges: Gauges) -> String {
        let mut text = String::new();
        let mut family = |name: &str, kind: &str, help: &str, lines: &[(String, String)]| {
            // Writing to a string does not fail.
            let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}");
            for (labels, value) in lines {
                let _ = writeln!(text, "{name}{labels} {value}");
            }
        };
        let one = |value: u64| [(String::new(), value.to_string())];
        let load = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let requests: Vec<(String, String)> = {
            let requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
            let line = |((service, status), count): (&(&str, u16), &u64)| {
                (format!("{{service=\"{service}\",status=\"{status}\"}}"), count.to_string())
            };
            requests.iter().map(line).collect()
        };
        family("tagwise_requests_total", "counter", "Requests by service and status.", &requests);
        family("tagwise_connections_total", "counter", "Accepted connections.", &one(load(&self.connections)));
        family(
            "tagwise_tls_handshake_failures_total",
            "counter",
            "TLS handshakes that failed.",
            &one(gauges.tls_failures),
        );
        family(
            "tagwise_certificates_issued_total",
            "counter",
            "Certificates issued to clients.",
            &one(gauges.issued.saturating_add(load(&self.issued_before))),
        );
        family(
            "tagwise_database_errors_total",
            "counter",
            "Operations that failed because of the database.",
            &one(gauges.database_errors),
        );
        let reloads = [("ok", &self.reloads), ("failed", &self.failed_reloads)]
            .map(|(result, counter)| (format!("{{result=\"{result}\"}}"), load(counter).to_string()));
        family("tagwise_reloads_total", "counter", "Reloads of the configuration.", &reloads);
        family("tagwise_ready", "gauge", "1 if requests can be answered.", &one(u64::from(gauges.is_ready)));
        let label =
            |(service, is_up): &(&str, bool)| (format!("{{service=\"{service}\"}}"), u8::from(*is_up).to_string());
        let services: Vec<(String, String)> = gauges.services.iter().map(label).collect();
        let help = "0 if the service refuses all requests, because its certificate has expired or is revoked.";
        family("tagwise_service_available", "gauge", help, &services);
        if let Some(not_after) = gauges.tls_not_after {
            let value = [(String::new(), not_after.to_string())];
            let help = "The end of the TLS certificate's validity.";
            family("tagwise_tls_certificate_expiry_timestamp_seconds", "gauge", help, &value);
        }
        let _ = writeln!(
            text,
            "# HELP tagwise_request_duration_seconds Time to answer a request.\n\
             # TYPE tagwise_request_duration_seconds histogram"
        );
        for (service, latency) in &*self.latencies.lock().unwrap_or_else(PoisonError::into_inner) {
            let mut bucket = |bound: &str, count: u64| {
                let _ = writeln!(
                    text,
                    "tagwise_request_duration_seconds_bucket{{service=\"{service}\",le=\"{bound}\"}} {count}"
                );
            };
            for (bound, count) in BOUNDS.iter().zip(latency.buckets) {
                bucket(&bound.to_string(), count);
            }
            bucket("+Inf", latency.count);
            let (sum, count) = (latency.sum, latency.count);
            let _ = writeln!(text, "tagwise_request_duration_seconds_sum{{service=\"{service}\"}} {sum}");
            let _ = writeln!(text, "tagwise_request_duration_seconds_count{{service=\"{service}\"}} {count}");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_and_latencies_are_counted() {
        let metrics = Metrics::default();
        metrics.record("acme", 200, Duration::from_millis(2));
        metrics.record("acme", 200, Duration::from_secs(9));
        metrics.record("acme", 503, Duration::from_micros(1));
        let services = vec![("acme", true), ("tsp", false)];
        let text =
            metrics.render(Gauges { issued: 7, is_ready: true, tls_not_after: Some(5), services, ..Gauges::default() });
        for line in [
            "tagwise_requests_total{service=\"acme\",status=\"200\"} 2",
            "tagwise_requests_total{service=\"acme\",status=\"503\"} 1",
            "tagwise_request_duration_seconds_bucket{service=\"acme\",le=\"0.001\"} 1",
            "tagwise_request_duration_seconds_bucket{service=\"acme\",le=\"0.0025\"} 2",
            "tagwise_request_duration_seconds_bucket{service=\"acme\",le=\"5\"} 2",
            "tagwise_request_duration_seconds_bucket{service=\"acme\",le=\"+Inf\"} 3",
            "tagwise_request_duration_seconds_count{service=\"acme\"} 3",
            "tagwise_certificates_issued_total 7",
            "tagwise_ready 1",
            "tagwise_service_available{service=\"acme\"} 1",
            "tagwise_service_available{service=\"tsp\"} 0",
            "tagwise_tls_certificate_expiry_timestamp_seconds 5",
        ] {
            assert!(text.lines().any(|found| found == line), "{line}: {text}");
        }
        assert_eq!(metrics.totals().get("acme"), Some(&(3, 1)));
    }
}
